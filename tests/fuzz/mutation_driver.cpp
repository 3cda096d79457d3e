// Stands in for libFuzzer where the compiler has none: `driver SECONDS SEED OUT FILES...` mutates the given inputs.
//
// Blind (no coverage), but deterministic for a seed. The input under test is written to OUT before it runs, so that it
// is there after a crash. An input that takes longer than 25 seconds ends the process as a crash does.
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size);

namespace {

using Bytes = std::vector<unsigned char>;
constexpr std::size_t kMaxBytes = 1 << 16;
constexpr unsigned kTimeoutSeconds = 25;

Bytes read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {}

  Bytes mutated(const std::vector<Bytes>& corpus) {
    Bytes bytes = corpus[below(corpus.size())];
    const std::size_t rounds = 1 + below(1u << below(8));
    for (std::size_t i = 0; i < rounds; ++i) mutate(bytes, corpus);
    if (bytes.size() > kMaxBytes) bytes.resize(kMaxBytes);
    return bytes;
  }

 private:
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(random_() % bound); }
  unsigned char any_byte() { return static_cast<unsigned char>(random_()); }

  void mutate(Bytes& bytes, const std::vector<Bytes>& corpus) {
    if (bytes.empty()) bytes.push_back(any_byte());
    const std::size_t at = below(bytes.size());
    const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    switch (below(7)) {
      case 0: *place = any_byte(); break;
      case 1: *place ^= static_cast<unsigned char>(1u << below(8)); break;
      case 2: bytes.insert(place, 1 + below(16), any_byte()); break;
      case 3: bytes.erase(place, place + static_cast<std::ptrdiff_t>(1 + below(bytes.size() - at))); break;
      case 4: {
        for (std::size_t i = at; i < bytes.size() && i < at + 64; ++i) bytes[i] = any_byte();
        break;
      }
      case 5: *place = below(2) ? 0xFF : 0x00; break;
      default: {
        const Bytes& other = corpus[below(corpus.size())];
        if (other.empty()) break;
        const std::size_t from = below(other.size());
        for (std::size_t i = 0; i < 256 && at + i < bytes.size() && from + i < other.size(); ++i) {
          bytes[at + i] = other[from + i];
        }
      }
    }
  }

  std::mt19937_64 random_;
};

void run_one(const Bytes& bytes, const std::string& out) {
  std::ofstream(out, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  alarm(kTimeoutSeconds);
  LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
  alarm(0);
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) {
    std::fprintf(stderr, "usage: %s SECONDS SEED OUT FILES...\n", arguments[0]);
    return 2;
  }
  const std::chrono::seconds limit(std::atoll(arguments[1]));
  Mutator mutator(static_cast<std::uint64_t>(std::atoll(arguments[2])));
  const std::string out = arguments[3];
  std::vector<Bytes> corpus(1);
  for (int i = 4; i < count; ++i) corpus.push_back(read_file(arguments[i]));
  const auto start = std::chrono::steady_clock::now();
  unsigned long long runs = 0;
  for (const Bytes& bytes : corpus) run_one(bytes, out), ++runs;
  while (std::chrono::steady_clock::now() - start < limit) run_one(mutator.mutated(corpus), out), ++runs;
  std::remove(out.c_str());
  std::printf("%llu runs, no finding\n", runs);
  return 0;
}
