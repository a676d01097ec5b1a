#include "trace/content.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "trace/file.hpp"
#include "trace/functions.hpp"

namespace pyaclnn::trace {
namespace {

constexpr int kDeviceToHost = 2;

/// A tensor of a call: where its elements are.
struct Place {
  std::uint16_t parameter = 0, item = 0;
  bool written = false, read = false;
  int dtype = 0;
  std::uint64_t address = 0;
  std::vector<std::int64_t> shape, strides;
  std::int64_t offset = 0;
};

struct Executors {
  std::mutex lock;
  std::unordered_map<std::uint64_t, std::vector<Place>> places;
};

Executors& executors() {
  static Executors* const made = new Executors;
  return *made;
}

std::atomic<int> captures{0};

template <class T>
T take(const char*& from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  from += sizeof value;
  return value;
}

std::size_t item_size(int dtype) {
  switch (dtype) {
    case 0:
    case 3:
    case 8:
    case 33:
      return 4;
    case 1:
    case 6:
    case 7:
    case 27:
      return 2;
    case 9:
    case 10:
    case 11:
    case 16:
      return 8;
    case 17:
      return 16;
    default:
      return 1;
  }
}

/// ND, NCHW, NHWC, NCDHW, NDHWC, HWCN, NC, NCL: elements lie where the strides say.
bool is_plain(int format) {
  return format <= 2 || format == 16 || format == 27 || format == 30 || format == 35 ||
         format == 47;
}

Place tensor_at(const char* from) {
  Place place;
  ++from;
  place.dtype = take<std::int8_t>(from);
  const int format = take<std::int16_t>(from);
  const std::size_t dims = take<std::uint8_t>(from), storage = take<std::uint8_t>(from);
  place.address = take<std::uint64_t>(from);
  place.offset = take<std::int64_t>(from);
  for (std::size_t i = 0; i < dims; ++i) place.shape.push_back(take<std::int64_t>(from));
  for (std::size_t i = 0; i < dims; ++i) place.strides.push_back(take<std::int64_t>(from));
  if (!is_plain(format) && storage) {
    // A private format is what its storage holds, row by row.
    place.shape.clear();
    for (std::size_t i = 0; i < storage; ++i) place.shape.push_back(take<std::int64_t>(from));
    place.strides.assign(storage, 1);
    for (std::size_t i = storage - 1; i-- > 0;) {
      place.strides[i] = place.strides[i + 1] * place.shape[i + 1];
    }
    place.offset = 0;
  }
  return place;
}

/// Elements of a view, and the range of its storage that they are in; false if it is no memory.
bool extent(const Place& place, std::uint64_t* count, std::int64_t* first, std::int64_t* last) {
  std::int64_t number = 1, low = place.offset, high = place.offset;
  for (std::size_t i = 0; i < place.shape.size(); ++i) {
    std::int64_t reach = 0;
    if (place.shape[i] < 0 || __builtin_mul_overflow(number, place.shape[i], &number)) return false;
    if (place.shape[i] == 0) continue;
    if (__builtin_mul_overflow(place.shape[i] - 1, place.strides[i], &reach) ||
        __builtin_add_overflow(reach < 0 ? low : high, reach, reach < 0 ? &low : &high)) {
      return false;
    }
  }
  *count = static_cast<std::uint64_t>(number);
  *first = low;
  *last = high;
  return low >= 0 && number <= (std::int64_t{1} << 40) && high <= (std::int64_t{1} << 40);
}

using Copy = int (*)(void*, std::size_t, const void*, std::size_t, int);

/// Copy a view's elements to the host, in the order of its indices.
bool gather(const Place& place, std::vector<char>* elements) {
  static const auto copy = reinterpret_cast<Copy>(real_function("aclrtMemcpy"));
  std::uint64_t count = 0;
  std::int64_t first = 0, last = 0;
  if (!copy || !place.address || !extent(place, &count, &first, &last)) return false;
  const std::size_t size = item_size(place.dtype);
  elements->resize(count * size);
  if (count == 0) return true;
  const std::uint64_t span = static_cast<std::uint64_t>(last - first + 1) * size;
  std::vector<char> storage(span);
  const auto from = place.address + static_cast<std::uint64_t>(first) * size;
  if (copy(storage.data(), span, reinterpret_cast<const void*>(from), span, kDeviceToHost) != 0) {
    return false;
  }
  std::vector<std::int64_t> index(place.shape.size(), 0);
  std::int64_t at = place.offset - first;
  for (std::uint64_t i = 0; i < count; ++i) {
    std::memcpy(&(*elements)[i * size], &storage[static_cast<std::size_t>(at) * size], size);
    for (std::size_t d = index.size(); d-- > 0;) {
      at += place.strides[d];
      if (++index[d] < place.shape[d]) break;
      at -= place.strides[d] * place.shape[d];
      index[d] = 0;
    }
  }
  return true;
}

std::uint64_t hash_of(const std::vector<char>& bytes) {
  std::uint64_t hash = 14695981039346656037u;
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, &bytes[i], std::min<std::size_t>(8, bytes.size() - i));
    hash = (hash ^ word) * 1099511628211u;
    hash ^= hash >> 29;
  }
  return hash;
}

double half(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, fraction = bits & 1023;
  const double sign = bits & 0x8000 ? -1.0 : 1.0;
  if (exponent == 31) return fraction ? std::nan("") : sign * HUGE_VAL;
  return sign * (exponent ? std::ldexp(1024 + fraction, exponent - 25) : std::ldexp(fraction, -24));
}

/// Return an element as a number; complex ones and those of small formats have none.
bool number_at(const char* from, int dtype, double* number) {
  switch (dtype) {
    case 0:
      *number = take<float>(from);
      return true;
    case 1:
      *number = half(take<std::uint16_t>(from));
      return true;
    case 2:
      *number = take<std::int8_t>(from);
      return true;
    case 3:
      *number = take<std::int32_t>(from);
      return true;
    case 4:
    case 12:
      *number = take<std::uint8_t>(from);
      return true;
    case 6:
      *number = take<std::int16_t>(from);
      return true;
    case 7:
      *number = take<std::uint16_t>(from);
      return true;
    case 8:
      *number = take<std::uint32_t>(from);
      return true;
    case 9:
      *number = static_cast<double>(take<std::int64_t>(from));
      return true;
    case 10:
      *number = static_cast<double>(take<std::uint64_t>(from));
      return true;
    case 11:
      *number = take<double>(from);
      return true;
    case 27: {
      const std::uint32_t bits = std::uint32_t{take<std::uint16_t>(from)} << 16;
      float value = 0;
      std::memcpy(&value, &bits, sizeof value);
      *number = value;
      return true;
    }
    default:
      return false;
  }
}

void count(const std::vector<char>& bytes, int dtype, Content* content) {
  const std::size_t size = item_size(dtype);
  std::uint64_t finite = 0;
  double sum = 0;
  content->minimum = HUGE_VAL;
  content->maximum = -HUGE_VAL;
  for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
    double value = 0;
    if (!number_at(&bytes[at], dtype, &value)) break;
    if (std::isnan(value)) {
      ++content->nans;
    } else if (std::isinf(value)) {
      ++content->infinities;
    } else {
      ++finite;
      sum += value;
      content->minimum = std::fmin(content->minimum, value);
      content->maximum = std::fmax(content->maximum, value);
    }
  }
  content->mean = finite ? sum / static_cast<double>(finite) : std::nan("");
}

void write_content(const Place& place, bool after) {
  Content content{};
  content.parameter = place.parameter;
  content.item = place.item;
  std::vector<char> elements;
  if (gather(place, &elements)) {
    content.bytes = elements.size();
    content.form = static_cast<std::uint16_t>(options().content);
    content.hash = hash_of(elements);
    if (options().content != ContentForm::kHash) count(elements, place.dtype, &content);
    if (options().content == ContentForm::kFull) {
      const bool fits = elements.size() <= options().limit;
      content.where = fits ? append_content(elements.data(), elements.size()) : ~std::uint64_t{0};
      if (!~content.where) content.form = static_cast<std::uint16_t>(ContentForm::kStatistics);
    }
  }
  Record record{};
  record.size = sizeof record + sizeof content;
  record.function = kContent;
  record.flags = after;
  record.begin = record.end = now();
  if (char* to = reserve(record.size)) {
    std::memcpy(to, &record, sizeof record);
    std::memcpy(to + sizeof record, &content, sizeof content);
    commit(record.size);
  }
}

}  // namespace

void note_executor(std::uint64_t executor, const char* record, std::uint16_t function) {
  std::vector<Place> places;
  const Signature& known = kSignatures[function];
  // Names of parameters that are read and written end in Ref; in-place operators have no others.
  const bool in_place = std::strncmp(known.name, "aclnnInplace", 12) == 0;
  const char* name = known.parameters;
  const char* at = record + sizeof(Record);
  for (std::uint16_t number = 0; known.codes[number + 1]; ++number) {
    const char code = known.codes[number + 1];
    const std::size_t length = std::strcspn(name, ",");
    const bool is_reference = length >= 3 && std::strncmp(name + length - 3, "Ref", 3) == 0;
    name += length + (name[length] == ',');
    if (code != 't' && code != 'T' && code != 's') {
      at += 8;
      continue;
    }
    const std::uint16_t size = take<std::uint16_t>(at);
    const char* text = at;
    at += size;
    if (code == 's' || size == 0) continue;
    const auto add = [&](const char* from, std::uint16_t item) {
      Place place = tensor_at(from);
      place.parameter = number;
      place.item = item;
      place.written = code == 'T' || is_reference;
      place.read = code == 't' || is_reference || in_place;
      places.push_back(std::move(place));
    };
    if (*text == 'T') add(text, 0);
    if (*text != 'L') continue;
    ++text;
    take<std::uint32_t>(text);
    const auto written = take<std::uint32_t>(text);
    for (std::uint32_t item = 0; item < written; ++item) {
      const auto length_of_item = take<std::uint16_t>(text);
      if (length_of_item && *text == 'T') add(text, static_cast<std::uint16_t>(item));
      text += length_of_item;
    }
  }
  Executors& known_executors = executors();
  std::lock_guard guard(known_executors.lock);
  known_executors.places[executor] = std::move(places);
}

void write_contents(std::uint64_t executor, std::uint64_t stream, bool after) {
  static const auto synchronize =
      reinterpret_cast<int (*)(std::uint64_t)>(real_function("aclrtSynchronizeStream"));
  if (captures.load() > 0 || !current_file.load()) return;
  std::vector<Place> places;
  {
    Executors& known = executors();
    std::lock_guard guard(known.lock);
    const auto at = known.places.find(executor);
    if (at == known.places.end()) return;
    places = at->second;
  }
  if (!synchronize || synchronize(stream) != 0) return;
  for (const Place& place : places) {
    if (after ? place.written : place.read) write_content(place, after);
  }
}

void note_capture(int change) { captures.fetch_add(change); }

}  // namespace pyaclnn::trace
