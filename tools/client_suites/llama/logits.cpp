// What a model says after a prompt and after each of some tokens: a line of logits for each.
//
//   logits MODEL.gguf LAYERS PROMPT TOKEN...
//
// LAYERS are computed by the backend, PROMPT of the tokens at once, the others one by one.
// SPDX-License-Identifier: MIT
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "llama.h"

namespace {

bool decode(llama_context* context, llama_token* tokens, int count, int words) {
  if (llama_decode(context, llama_batch_get_one(tokens, count)) != 0) return false;
  const float* logits = llama_get_logits_ith(context, -1);
  for (int i = 0; i < words; ++i) std::printf("%.9g ", logits[i]);
  std::printf("\n");
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  const int layers = std::atoi(argv[2]), prompt = std::atoi(argv[3]);
  std::vector<llama_token> tokens;
  for (int i = 4; i < argc; ++i) tokens.push_back(std::atoi(argv[i]));
  if (prompt < 1 || std::size_t(prompt) > tokens.size()) return 2;

  llama_backend_init();
  llama_model_params of_model = llama_model_default_params();
  of_model.n_gpu_layers = layers;
  llama_model* model = llama_model_load_from_file(argv[1], of_model);
  if (model == nullptr) return 1;
  llama_context_params of_context = llama_context_default_params();
  of_context.n_ctx = 256;
  of_context.n_threads = of_context.n_threads_batch = 1;
  llama_context* context = llama_init_from_model(model, of_context);
  if (context == nullptr) return 1;

  const int words = llama_vocab_n_tokens(llama_model_get_vocab(model));
  bool done = decode(context, tokens.data(), prompt, words);
  for (std::size_t i = std::size_t(prompt); done && i < tokens.size(); ++i)
    done = decode(context, &tokens[i], 1, words);
  llama_free(context);
  llama_model_free(model);
  llama_backend_free();
  return done ? 0 : 1;
}
