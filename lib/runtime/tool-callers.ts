import type { ModelTarget } from '@/lib/protocol/model-target'

/** Models that are known to call tools, by wire, for people who picked one that did not (SPEC R15b). */
export const toolCallers: Record<ModelTarget['wire'], string> = {
  openai: 'GPT-4o, GPT-4.1 and later, o3 and later',
  anthropic: 'Claude 3 and later',
  ollama: 'llama3.1 and later, qwen2.5 and later, qwen3, mistral-small, gpt-oss',
  'openai-compatible': 'Llama 3.1 and later, Qwen 2.5 and later, Mistral Small and Large',
  bedrock: 'Claude 3 and later, Amazon Nova, Llama 3.1 and later, Mistral Large, gpt-oss',
  gemini: 'Gemini 1.5 and later',
  demo: 'the demo, for the example prompts of the Playground',
  'azure-openai': 'GPT-4o, GPT-4.1 and later, o3 and later',
}
