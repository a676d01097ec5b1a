// What describes queues and the routes between them, and is checked before they are asked for.
// SPDX-License-Identifier: MIT
#include <array>
#include <cstring>
#include <memory>
#include <optional>
#include <vector>

#include "acl/acl_tdt_queue.h"
#include "core/live_objects.hpp"

namespace sim = pyaclnn::sim;

namespace {

constexpr size_t kNameLength = 128;
constexpr uint32_t kDefaultDepth = 2;

struct Attributes {
  std::array<char, kNameLength> name{};
  uint32_t depth = kDefaultDepth;
};

struct Route {
  uint32_t source = 0;
  uint32_t destination = 0;
  int32_t status = ACL_TDT_QUEUE_ROUTE_UNBIND;
};

struct RouteList {
  std::vector<Route> routes;
};

struct Query {
  std::optional<acltdtQueueRouteQueryMode> mode;
  std::optional<uint32_t> source;
  std::optional<uint32_t> destination;
};

template <class T>
sim::LiveObjects<T>& all(const char* type) {
  static auto& table = *new sim::LiveObjects<T>(type);
  return table;
}

auto& attributes() { return all<Attributes>("acltdtQueueAttr"); }
auto& routes() { return all<Route>("acltdtQueueRoute"); }
auto& lists() { return all<RouteList>("acltdtQueueRouteList"); }
auto& queries() { return all<Query>("acltdtQueueRouteQueryInfo"); }

template <class Handle, class T>
Handle* create(const char* function, sim::LiveObjects<T>& table, T value = {}) {
  return sim::entry_or_null(function, [&] {
    return static_cast<Handle*>(table.add(std::make_shared<T>(std::move(value))));
  });
}

template <class T>
aclError destroy(const char* function, sim::LiveObjects<T>& table, const void* handle) {
  return sim::entry(function, [&] {
    table.remove(handle, ACL_ERROR_INVALID_PARAM);
    return ACL_SUCCESS;
  });
}

void require(const void* pointer, const char* name) {
  if (pointer == nullptr) sim::fail(ACL_ERROR_INVALID_PARAM, "%s is null", name);
}

[[noreturn]] void no_such(const char* what, int type) {
  sim::fail(ACL_ERROR_INVALID_PARAM, "%d is no %s", type, what);
}

/// The value of `length` bytes at an address, which may be fewer than it has.
template <class T>
T read(const void* from, size_t length) {
  if (length > sizeof(T))
    sim::fail(ACL_ERROR_INVALID_PARAM, "len is %zu, the value has %zu bytes", length, sizeof(T));
  T value{};
  std::memcpy(&value, from, length);
  return value;
}

template <class T>
void write(const T& value, size_t length, size_t* written, void* to) {
  if (length < sizeof(T))
    sim::fail(ACL_ERROR_INVALID_PARAM, "len is %zu, the value has %zu bytes", length, sizeof(T));
  std::memcpy(to, &value, sizeof(T));
  *written = sizeof(T);
}

void check(const Query& query) {
  if (!query.mode) sim::fail(ACL_ERROR_INVALID_PARAM, "queryInfo has no mode");
  const bool by_source = *query.mode == ACL_TDT_QUEUE_ROUTE_QUERY_SRC;
  const bool by_destination = *query.mode == ACL_TDT_QUEUE_ROUTE_QUERY_DST;
  const bool by_both = *query.mode == ACL_TDT_QUEUE_ROUTE_QUERY_SRC_AND_DST;
  if (!by_source && !by_destination && !by_both &&
      *query.mode != ACL_TDT_QUEUE_ROUTE_QUERY_ABNORMAL)
    no_such("mode of a query", int(*query.mode));
  if ((by_source || by_both) && !query.source)
    sim::fail(ACL_ERROR_INVALID_PARAM, "queryInfo has no source");
  if ((by_destination || by_both) && !query.destination)
    sim::fail(ACL_ERROR_INVALID_PARAM, "queryInfo has no destination");
}

}  // namespace

acltdtQueueAttr* acltdtCreateQueueAttr() { return create<acltdtQueueAttr>(__func__, attributes()); }

aclError acltdtDestroyQueueAttr(const acltdtQueueAttr* attr) {
  return destroy(__func__, attributes(), attr);
}

aclError acltdtSetQueueAttr(acltdtQueueAttr* attr, acltdtQueueAttrType type, size_t len,
                            const void* param) {
  return sim::entry(__func__, [&] {
    const auto object = attributes().get(attr, ACL_ERROR_INVALID_PARAM);
    require(param, "param");
    switch (type) {
      case ACL_TDT_QUEUE_NAME_PTR: {
        const auto* name = read<const char*>(param, len);
        require(name, "the name");
        const size_t length = strnlen(name, kNameLength);
        if (length == kNameLength)
          sim::fail(ACL_ERROR_INVALID_PARAM, "the name has more than %zu characters",
                    kNameLength - 1);
        object->name = {};
        std::memcpy(object->name.data(), name, length);
        return ACL_SUCCESS;
      }
      case ACL_TDT_QUEUE_DEPTH_UINT32:
        object->depth = read<uint32_t>(param, len);
        return ACL_SUCCESS;
    }
    no_such("attribute of a queue", int(type));
  });
}

aclError acltdtGetQueueAttr(const acltdtQueueAttr* attr, acltdtQueueAttrType type, size_t len,
                            size_t* paramRetSize, void* param) {
  return sim::entry(__func__, [&] {
    const auto object = attributes().get(attr, ACL_ERROR_INVALID_PARAM);
    require(param, "param");
    require(paramRetSize, "paramRetSize");
    switch (type) {
      case ACL_TDT_QUEUE_NAME_PTR: {
        const char* name = object->name.data();
        write(name, len, paramRetSize, param);
        return ACL_SUCCESS;
      }
      case ACL_TDT_QUEUE_DEPTH_UINT32:
        write(object->depth, len, paramRetSize, param);
        return ACL_SUCCESS;
    }
    no_such("attribute of a queue", int(type));
  });
}

acltdtQueueRoute* acltdtCreateQueueRoute(uint32_t srcId, uint32_t dstId) {
  return create<acltdtQueueRoute>(__func__, routes(), Route{srcId, dstId});
}

aclError acltdtDestroyQueueRoute(const acltdtQueueRoute* route) {
  return destroy(__func__, routes(), route);
}

aclError acltdtGetQueueRouteParam(const acltdtQueueRoute* route, acltdtQueueRouteParamType type,
                                  size_t len, size_t* paramRetSize, void* param) {
  return sim::entry(__func__, [&] {
    const auto object = routes().get(route, ACL_ERROR_INVALID_PARAM);
    require(param, "param");
    require(paramRetSize, "paramRetSize");
    switch (type) {
      case ACL_TDT_QUEUE_ROUTE_SRC_UINT32:
        write(object->source, len, paramRetSize, param);
        return ACL_SUCCESS;
      case ACL_TDT_QUEUE_ROUTE_DST_UINT32:
        write(object->destination, len, paramRetSize, param);
        return ACL_SUCCESS;
      case ACL_TDT_QUEUE_ROUTE_STATUS_INT32:
        write(object->status, len, paramRetSize, param);
        return ACL_SUCCESS;
    }
    no_such("parameter of a route", int(type));
  });
}

acltdtQueueRouteList* acltdtCreateQueueRouteList() {
  return create<acltdtQueueRouteList>(__func__, lists());
}

aclError acltdtDestroyQueueRouteList(const acltdtQueueRouteList* routeList) {
  return destroy(__func__, lists(), routeList);
}

aclError acltdtAddQueueRoute(acltdtQueueRouteList* routeList, const acltdtQueueRoute* route) {
  return sim::entry(__func__, [&] {
    const auto list = lists().get(routeList, ACL_ERROR_INVALID_PARAM);
    list->routes.push_back(*routes().get(route, ACL_ERROR_INVALID_PARAM));
    return ACL_SUCCESS;
  });
}

aclError acltdtGetQueueRoute(const acltdtQueueRouteList* routeList, size_t index,
                             acltdtQueueRoute* route) {
  return sim::entry(__func__, [&] {
    const auto list = lists().get(routeList, ACL_ERROR_INVALID_PARAM);
    const auto object = routes().get(route, ACL_ERROR_INVALID_PARAM);
    if (index >= list->routes.size())
      sim::fail(ACL_ERROR_INVALID_PARAM, "index is %zu, the list has %zu routes", index,
                list->routes.size());
    *object = list->routes[index];
    return ACL_SUCCESS;
  });
}

size_t acltdtGetQueueRouteNum(const acltdtQueueRouteList* routeList) {
  size_t count = 0;
  sim::entry(__func__, [&] {
    count = lists().get(routeList, ACL_ERROR_INVALID_PARAM)->routes.size();
    return ACL_SUCCESS;
  });
  return count;
}

acltdtQueueRouteQueryInfo* acltdtCreateQueueRouteQueryInfo() {
  return create<acltdtQueueRouteQueryInfo>(__func__, queries());
}

aclError acltdtDestroyQueueRouteQueryInfo(const acltdtQueueRouteQueryInfo* info) {
  return destroy(__func__, queries(), info);
}

aclError acltdtSetQueueRouteQueryInfo(acltdtQueueRouteQueryInfo* param,
                                      acltdtQueueRouteQueryInfoParamType type, size_t len,
                                      const void* value) {
  return sim::entry(__func__, [&] {
    const auto query = queries().get(param, ACL_ERROR_INVALID_PARAM);
    require(value, "value");
    switch (type) {
      case ACL_TDT_QUEUE_ROUTE_QUERY_MODE_ENUM:
        // As a number: a program may give any.
        query->mode = static_cast<acltdtQueueRouteQueryMode>(read<int32_t>(value, len));
        return ACL_SUCCESS;
      case ACL_TDT_QUEUE_ROUTE_QUERY_SRC_ID_UINT32:
        query->source = read<uint32_t>(value, len);
        return ACL_SUCCESS;
      case ACL_TDT_QUEUE_ROUTE_QUERY_DST_ID_UINT32:
        query->destination = read<uint32_t>(value, len);
        return ACL_SUCCESS;
    }
    no_such("parameter of a query", int(type));
  });
}

aclError acltdtQueryQueueRoutes(const acltdtQueueRouteQueryInfo* queryInfo,
                                acltdtQueueRouteList* qRouteList) {
  return sim::entry(__func__, [&] {
    const auto list = lists().get(qRouteList, ACL_ERROR_INVALID_PARAM);
    const auto query = queries().get(queryInfo, ACL_ERROR_INVALID_PARAM);
    list->routes.clear();
    check(*query);
    sim::fail(sim::kFeatureUnsupported,
              "acltdtQueryQueueRoutes is not simulated: there are no queues");
    return ACL_SUCCESS;
  });
}

aclError acltdtAllocBuf(size_t, uint32_t type, acltdtBuf* buf) {
  return sim::entry(__func__, [&] {
    if (type != ACL_TDT_NORMAL_MEM && type != ACL_TDT_DVPP_MEM)
      no_such("type of a buffer", int(type));
    require(buf, "buf");
    sim::fail(sim::kFeatureUnsupported, "acltdtAllocBuf is for programs on a device");
    return ACL_SUCCESS;
  });
}
