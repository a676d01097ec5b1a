// SPDX-License-Identifier: MIT
#include "hccl/operators.hpp"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/status.hpp"
#include "hccl/submission.hpp"
#include "hccl/types.hpp"
#include "objects/communicators.hpp"

namespace pyaclnn::sim::hccl {
namespace {

unsigned char* bytes_of(const void* data) {
  return static_cast<unsigned char*>(const_cast<void*>(data));
}

std::vector<Part> parts_of(const std::vector<Parcel>& pieces) {
  std::vector<Part> parts(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    parts[i].peer = int(i);
    parts[i].data = bytes_of(pieces[i].data);
    parts[i].bytes = pieces[i].bytes;
  }
  return parts;
}

/// What an operator communicates in one run.
class Run : public sim::Exchange {
 public:
  Run(std::shared_ptr<Member> member, bool in_order)
      : member_(std::move(member)), turns_({&member_->collective}, in_order), ordered_(in_order) {}
  ~Run() override {
    if (ordered_ && !began_)
      member_->fail(HCCL_E_INTERNAL, "an operator was dropped before it communicated");
  }

  int rank() const override { return member_->rank(); }
  int size() const override { return member_->size(); }

  void all_reduce(const void* from, void* to, std::size_t count, aclDataType type) override {
    run([&](Call& call) {
      describe(call, Function::kAllReduce, count, type);
      call.send = bytes_of(from);
      call.receive = bytes_of(to);
    });
  }

  void reduce_scatter(const void* from, void* to, std::size_t count, aclDataType type) override {
    run([&](Call& call) {
      describe(call, Function::kReduceScatter, count, type);
      const std::size_t bytes = count * call.element;
      std::vector<Parcel> pieces;
      for (int peer = 0; peer < size(); ++peer)
        pieces.push_back({bytes_of(from) + std::size_t(peer) * bytes, bytes});
      call.outgoing = parts_of(pieces);
      call.receive = bytes_of(to);
    });
  }

  void move(const std::vector<Parcel>& outgoing, const std::vector<Parcel>& incoming,
            const Terms& terms) override {
    run([&](Call& call) {
      call.terms = terms;
      call.signature.function = Function::kAlltoAllV;
      call.outgoing = parts_of(outgoing);
      call.incoming = parts_of(incoming);
    });
  }

  void begin(Delivered what, const std::vector<Parcel>& outgoing) override {
    submit([&](Stream&) { begin_delivery(*member_, function_of(what), parts_of(outgoing)); });
  }

  std::vector<std::vector<unsigned char>> end(Delivered what, std::size_t most) override {
    std::vector<std::vector<unsigned char>> taken;
    submit(
        [&](Stream& stream) { taken = end_delivery(*member_, stream, function_of(what), most); });
    return taken;
  }

 private:
  static Function function_of(Delivered what) {
    return what == Delivered::kTokens ? Function::kToExperts : Function::kFromExperts;
  }

  static void describe(Call& call, Function function, std::size_t count, aclDataType type) {
    const HcclDataType data = data_type(type);
    call.element = element_size(data);
    call.signature.function = function;
    call.signature.type = std::uint32_t(data);
    call.signature.op = std::uint32_t(HCCL_REDUCE_SUM);
    call.signature.count = count;
  }

  template <class Fill>
  void run(Fill fill) {
    submit([&](Stream& stream) {
      Call call;
      fill(call);
      run_collective(*member_, stream, call);
    });
  }

  void submit(FunctionRef<void(Stream&)> body) {
    began_ = true;
    communicate(*member_, turns_, body);
  }

  const std::shared_ptr<Member> member_;
  Turns turns_;
  const bool ordered_;
  bool began_ = false;
};

class Rank : public Communicator {
 public:
  explicit Rank(std::shared_ptr<Member> member) : member_(std::move(member)) {}

  int rank() const override { return member_->rank(); }
  int size() const override { return member_->size(); }
  std::mutex& submitting() override { return member_->submitting; }
  std::unique_ptr<sim::Exchange> take_turn(bool in_order) override {
    return std::make_unique<Run>(member_, in_order);
  }

 private:
  const std::shared_ptr<Member> member_;
};

std::shared_ptr<Communicator> find(const std::string& name, int device) {
  std::shared_ptr<Member> member = find_member(name, device);
  return member == nullptr ? nullptr : std::make_shared<Rank>(std::move(member));
}

}  // namespace

void serve_operators() { set_communicator_finder(&find); }

}  // namespace pyaclnn::sim::hccl
