import { expect, it } from 'vitest'
import { secretsHost } from './secrets-host'

it('is scheme, host and port, of the wire’s own address where there is none', () => {
  expect([
    secretsHost({ wire: 'openai', baseUrl: null }),
    secretsHost({ wire: 'openai', baseUrl: 'https://API.openai.com/v2' }),
    secretsHost({ wire: 'openai', baseUrl: 'http://api.openai.com/v1' }),
    secretsHost({ wire: 'openai-compatible', baseUrl: 'https://x.example:8443/v1' }),
    secretsHost({ wire: 'demo', baseUrl: null }),
  ]).toEqual([
    'https://api.openai.com',
    'https://api.openai.com',
    'http://api.openai.com',
    'https://x.example:8443',
    null,
  ])
})
