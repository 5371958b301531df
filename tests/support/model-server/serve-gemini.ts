import { geminiRefusal, vertexRefusal } from '../strict-providers/gemini-rules'
import { signatureOf } from './gemini-frames'
import type { ServedRequest } from './scripted-turn'

/** Returns why Google would refuse a request; null = it would not. */
export function geminiProblem({ path, body }: ServedRequest): string | null {
  const unknown = path.startsWith('/v1/projects/') ? vertexRefusal(body) : null
  if (unknown !== null) return unknown
  return geminiRefusal(body, [], (signature, { functionCall }) => {
    const { name, args } = functionCall as { name: string; args: object }
    return signature === signatureOf(name, args)
  })
}

/** The answer to a key that Google does not know. */
export const geminiWrongKey = {
  error: {
    code: 400,
    message: 'API key not valid. Please pass a valid API key.',
    status: 'INVALID_ARGUMENT',
    details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }],
  },
}

/** The list of models, with one that writes no text. */
export const geminiList = {
  models: [
    {
      name: 'models/gemini-3-test',
      displayName: 'Gemini 3 Test',
      inputTokenLimit: 1_048_576,
      outputTokenLimit: 65_536,
      supportedGenerationMethods: ['generateContent', 'countTokens'],
      thinking: true,
    },
    {
      name: 'models/gemini-embedding-test',
      displayName: 'Embedding',
      inputTokenLimit: 2_048,
      outputTokenLimit: 1,
      supportedGenerationMethods: ['embedContent'],
    },
  ],
}

/** Returns one of two pages of Vertex AI's list, which has all models with nothing but their names. */
export function vertexList(pageToken: string | null): object {
  const models = (...names: string[]) =>
    names.map((name) => ({ name: `publishers/google/models/${name}`, versionId: 'default' }))
  return pageToken === 'page/2'
    ? { publisherModels: models('gemini-3-test', 'gemini-live-test', 'text-bison') }
    : {
        publisherModels: models('imagen-4', 'gemini-embedding-test', 'gemini-2.5-flash'),
        nextPageToken: 'page/2',
      }
}
