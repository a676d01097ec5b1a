// The driver's interface for managing cards.
// SPDX-License-Identifier: MIT
#include "core/refuse.hpp"

// DCMI_ERR_CODE_NOT_SUPPORT.
#define DCMI_REFUSES(function) SIM_REFUSE(-8255, function)

DCMI_REFUSES(dcmi_get_affinity_cpu_info_by_device_id)
DCMI_REFUSES(dcmi_get_card_num_list)
DCMI_REFUSES(dcmi_get_device_id_in_card)
DCMI_REFUSES(dcmi_get_device_pcie_info_v2)
DCMI_REFUSES(dcmi_init)
DCMI_REFUSES(dcmiv2_get_affinity_cpu_info_by_dev_id)
DCMI_REFUSES(dcmiv2_get_affinity_cpu_info_by_device_id)
DCMI_REFUSES(dcmiv2_get_device_list)
DCMI_REFUSES(dcmiv2_init)
