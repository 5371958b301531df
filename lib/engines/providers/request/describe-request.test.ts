import { expect, test } from 'vitest'
import type { ConnectionSettings } from '@/lib/domains/connections/shared/connection-settings'
import type { ModelRequest } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { defaultModelParameters } from '@/lib/protocol/parameters/parameters'
import { describeRequest } from './describe-request'

const request: ModelRequest = {
  modelId: 'anthropic.claude-1:0',
  system: '',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [],
  parameters: defaultModelParameters,
}

type Case = [wire: ModelTarget['wire'], settings: ConnectionSettings, url: string, header: string]

test.each<Case>([
  [
    'bedrock',
    { region: 'eu-west-1', authentication: 'bearer' },
    'amazonaws.com/model/',
    'Bearer $API_KEY',
  ],
  ['bedrock', { region: 'eu-west-1', accessKeyId: 'AKIA' }, 'amazonaws.com/model/', ''],
  ['gemini', {}, 'generativelanguage.googleapis.com/v1beta/', '$API_KEY'],
  [
    'gemini',
    { authentication: 'service-account', project: 'p', location: 'europe-west1' },
    '/projects/p/locations/europe-west1/',
    'Bearer $API_KEY',
  ],
])(
  '%s with %o: what would be sent, with a placeholder for the key and without a signature',
  async (wire, settings, url, header) => {
    const connection = { baseUrl: null, settings, organisation: null, apiKey: '$API_KEY' }
    const sent = await describeRequest(wire, connection, request)
    expect(sent?.url).toContain(url)
    expect(sent?.body).toContain('Hello')
    const keys = ['authorization', 'x-goog-api-key'].flatMap((name) => sent?.headers[name] ?? [])
    expect(keys).toEqual(header === '' ? [] : [header])
  },
)

test('a connection without an address, and the demo, send nothing', async () => {
  const connection = { baseUrl: null, settings: {}, organisation: null, apiKey: null }
  expect(await describeRequest('openai-compatible', connection, request)).toBeNull()
  expect(await describeRequest('demo', connection, request)).toBeNull()
})
