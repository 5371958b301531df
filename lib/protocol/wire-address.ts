import type { ModelTarget } from './model-target'

/** Where a wire is asked when its connection names no address; null = it has none, or (the demo) needs none. */
export const wireAddress: Record<ModelTarget['wire'], string | null> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com',
  ollama: 'http://127.0.0.1:11434',
  'openai-compatible': null,
  demo: null,
}
