import type { ConnectionFacts } from './schemas'
import type { ConnectionSettings } from './shared/connection-settings'

/**
 * Facts about a well-known endpoint that fill the form. `trustZone` is the most cautious one for its usual place; an
 * admin with a contract may pick another. `source` is the page on which address and key were read, on `checkedOn`.
 */
export type ConnectionPreset = {
  id: string
  label: string
  /** One line under the label. */
  hint: string
  wire: ConnectionFacts['wire']
  /** The address; the admin replaces the part in capitals. */
  baseUrl: string | null
  settings?: ConnectionSettings
  trustZone: ConnectionFacts['trustZone']
  privateAddressAllowed: boolean
  /** The page where keys are issued; null = it needs none unless it was started with one. */
  keyFrom: string | null
  source: string
  checkedOn: string
}

const checkedOn = '2026-11-22'

const cloud = {
  wire: 'openai-compatible',
  trustZone: 'external-global',
  privateAddressAllowed: false,
  checkedOn,
} as const
const here = {
  trustZone: 'local',
  privateAddressAllowed: true,
  keyFrom: null,
  checkedOn,
} as const

export const connectionPresets: readonly ConnectionPreset[] = [
  {
    ...cloud,
    id: 'openai',
    label: 'OpenAI',
    hint: 'GPT models',
    wire: 'openai',
    baseUrl: null,
    keyFrom: 'platform.openai.com',
    source: 'https://github.com/openai/openai-node/blob/master/src/client.ts',
    checkedOn: '2026-11-23',
  },
  {
    ...cloud,
    id: 'openai-chat-completions',
    label: 'OpenAI Chat Completions',
    hint: 'The older API',
    baseUrl: 'https://api.openai.com/v1',
    keyFrom: 'platform.openai.com',
    source: 'https://github.com/openai/openai-node/blob/master/src/client.ts',
    checkedOn: '2026-11-23',
  },
  {
    ...cloud,
    id: 'anthropic',
    label: 'Anthropic',
    hint: 'Claude models',
    wire: 'anthropic',
    baseUrl: null,
    keyFrom: 'console.anthropic.com',
    source: 'https://github.com/anthropics/anthropic-sdk-typescript/blob/main/src/client.ts',
    checkedOn: '2026-11-23',
  },
  {
    ...here,
    id: 'ollama',
    label: 'Ollama',
    hint: 'On this machine',
    wire: 'ollama',
    baseUrl: 'http://localhost:11434',
    source: 'https://docs.ollama.com/api',
    checkedOn: '2026-11-23',
  },
  {
    ...here,
    id: 'vllm',
    label: 'vLLM',
    hint: 'On your own server',
    wire: 'openai-compatible',
    baseUrl: 'http://localhost:8000/v1',
    source: 'https://docs.vllm.ai/en/v0.8.1/serving/openai_compatible_server.html',
  },
  {
    ...here,
    id: 'lm-studio',
    label: 'LM Studio',
    hint: 'On this computer',
    wire: 'openai-compatible',
    baseUrl: 'http://localhost:1234/v1',
    source: 'https://lmstudio.ai/docs/api/openai-api',
  },
  {
    ...cloud,
    id: 'gemini',
    label: 'Google Gemini',
    hint: 'Gemini models',
    wire: 'gemini',
    baseUrl: null,
    keyFrom: 'Google AI Studio',
    source: 'https://ai.google.dev/gemini-api/docs/text-generation',
    checkedOn: '2026-11-23',
  },
  {
    ...cloud,
    id: 'vertex',
    label: 'Google Vertex AI',
    hint: 'Gemini, with a service account',
    wire: 'gemini',
    baseUrl: null,
    settings: { authentication: 'service-account', location: 'global' },
    keyFrom: 'the Google Cloud console, under service accounts (JSON key file)',
    source: 'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/model-reference/inference',
    checkedOn: '2026-11-23',
  },
  {
    ...cloud,
    id: 'bedrock',
    label: 'Amazon Bedrock',
    hint: 'Models in your AWS account',
    wire: 'bedrock',
    baseUrl: null,
    keyFrom: 'the IAM console (secret access key) or the Bedrock console (API key)',
    source: 'https://docs.aws.amazon.com/bedrock/latest/userguide/api-keys-use.html',
    checkedOn: '2026-11-23',
  },
  {
    ...cloud,
    id: 'azure-openai',
    label: 'Azure OpenAI',
    wire: 'azure-openai',
    hint: 'Deployments of your resource',
    baseUrl: 'https://YOUR-RESOURCE-NAME.openai.azure.com/openai/v1',
    keyFrom: 'the resource in the Azure portal',
    source: 'https://learn.microsoft.com/azure/ai-foundry/openai/api-version-lifecycle',
  },
  {
    ...cloud,
    id: 'mistral',
    label: 'Mistral',
    hint: 'La Plateforme',
    baseUrl: 'https://api.mistral.ai/v1',
    keyFrom: 'console.mistral.ai',
    source: 'https://docs.nexla.com/user-guides/connectors/mistral_llm_api/mistral_llm_api_auth',
  },
  {
    ...cloud,
    id: 'groq',
    label: 'Groq',
    hint: 'Open models, fast',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyFrom: 'console.groq.com, under API keys',
    source: 'https://console.groq.com/docs/openai',
    checkedOn: '2026-11-23',
  },
  {
    ...cloud,
    id: 'openrouter',
    label: 'OpenRouter',
    hint: 'Many providers behind one key',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyFrom: 'openrouter.ai',
    source: 'https://www.openrouter.ai/docs/quick-start',
    checkedOn: '2026-11-23',
  },
  {
    ...cloud,
    id: 'deepseek',
    label: 'DeepSeek',
    hint: 'Its own models',
    baseUrl: 'https://api.deepseek.com',
    keyFrom: "DeepSeek's platform",
    source: 'https://api-docs.deepseek.com/',
    checkedOn: '2026-11-23',
  },
  {
    ...cloud,
    id: 'snowflake',
    label: 'Snowflake Cortex',
    hint: 'Models in your account',
    baseUrl: 'https://YOUR-RESOURCE-NAME.snowflakecomputing.com/api/v2/cortex/v1',
    settings: { emptyReason: 'complete' },
    keyFrom: 'Snowflake, as a programmatic access token',
    source: 'https://docs.snowflake.com/user-guide/snowflake-cortex/open_ai_sdk',
    checkedOn: '2026-11-25',
  },
  {
    ...cloud,
    id: 'together',
    label: 'Together AI',
    hint: 'Open models, hosted',
    baseUrl: 'https://api.together.ai/v1',
    keyFrom: 'the settings page of your account',
    source: 'https://docs.together.ai/docs/inference/openai-compatibility',
  },
]
