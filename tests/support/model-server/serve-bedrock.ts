import type { ServerResponse } from 'node:http'
import { signatureProblem } from './aws-signature'
import { bedrockProblem } from './bedrock-rules'

type Asked = { method: string; path: string; headers: Record<string, string>; body: string }

/**
 * Answers a request that Amazon would refuse, and says whether it did. `secret` is the secret access key, or a Bedrock API
 * key; absent = anything is taken.
 */
export function refusesBedrock(
  { method, path, headers, body }: Asked,
  secret: string | undefined,
  response: ServerResponse,
): boolean {
  const isBearer = headers.authorization === `Bearer ${secret}`
  const problem =
    secret === undefined || isBearer
      ? null
      : signatureProblem({ method, path, headers, body }, secret)
  if (problem !== null) {
    refuse(response, 403, `${problem}Exception`, 'The request signature does not match.')
    return true
  }
  const [, modelId = ''] = /^\/model\/([^/]+)\//.exec(path) ?? []
  const wrong =
    method === 'POST' ? bedrockProblem(JSON.parse(body), decodeURIComponent(modelId)) : null
  if (wrong === null) return false
  refuse(response, 400, 'ValidationException', wrong)
  return true
}

function refuse(response: ServerResponse, status: number, type: string, message: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'x-amzn-errortype': `${type}:http://internal.amazon.com/coral/`,
  })
  response.end(JSON.stringify({ message }))
}

/** The lists of models and inference profiles, each with entries that the Converse API cannot stream. */
export const bedrockLists: Readonly<Record<string, object>> = {
  '/foundation-models': {
    modelSummaries: [
      {
        modelId: 'anthropic.claude-test-v1:0',
        modelName: 'Claude Test',
        inputModalities: ['TEXT', 'IMAGE'],
        outputModalities: ['TEXT'],
        responseStreamingSupported: true,
        inferenceTypesSupported: ['INFERENCE_PROFILE'],
      },
      {
        modelId: 'amazon.nova-test-v1:0',
        modelName: 'Nova Test',
        inputModalities: ['TEXT'],
        outputModalities: ['TEXT'],
        responseStreamingSupported: true,
        inferenceTypesSupported: ['ON_DEMAND'],
      },
      {
        modelId: 'amazon.titan-embed-test-v1',
        modelName: 'Embeddings',
        inputModalities: ['TEXT'],
        outputModalities: ['EMBEDDING'],
        inferenceTypesSupported: ['ON_DEMAND'],
      },
    ],
  },
  '/inference-profiles': {
    inferenceProfileSummaries: [
      {
        inferenceProfileId: 'eu.anthropic.claude-test-v1:0',
        inferenceProfileName: 'EU Claude Test',
        status: 'ACTIVE',
        type: 'SYSTEM_DEFINED',
        models: [
          { modelArn: 'arn:aws:bedrock:eu-west-1::foundation-model/anthropic.claude-test-v1:0' },
        ],
      },
    ],
  },
}
