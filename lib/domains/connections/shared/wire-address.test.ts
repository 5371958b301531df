import { expect, it } from 'vitest'
import { connectionHost, secretsHost } from './wire-address'

it('is scheme, host and port, of the wire’s own address where there is none', () => {
  expect([
    secretsHost({ wire: 'openai', baseUrl: null, settings: {} }),
    secretsHost({ wire: 'openai', baseUrl: 'https://API.openai.com/v2', settings: {} }),
    secretsHost({ wire: 'openai', baseUrl: 'http://api.openai.com/v1', settings: {} }),
    secretsHost({ wire: 'openai-compatible', baseUrl: 'https://x.example:8443/v1', settings: {} }),
    secretsHost({ wire: 'demo', baseUrl: null, settings: {} }),
  ]).toEqual([
    'https://api.openai.com',
    'https://api.openai.com',
    'http://api.openai.com',
    'https://x.example:8443',
    null,
  ])
})

it('names the place, too, where a key becomes a token', () => {
  const azure = {
    wire: 'azure-openai',
    baseUrl: 'https://acme.openai.azure.com/openai/v1',
  } as const
  const entra = { authentication: 'entra', tenantId: 't', clientId: 'c' }
  expect([
    secretsHost({ ...azure, settings: { authentication: 'key' } }),
    secretsHost({ ...azure, settings: entra }),
    secretsHost({
      ...azure,
      settings: { ...entra, authority: 'https://login.microsoftonline.us' },
    }),
    connectionHost({ ...azure, settings: entra }),
  ]).toEqual([
    'https://acme.openai.azure.com',
    'https://acme.openai.azure.com and https://login.microsoftonline.com',
    'https://acme.openai.azure.com and https://login.microsoftonline.us',
    'acme.openai.azure.com',
  ])
})

it('tells the key file of a service account from a key that is sent, in each location', () => {
  const gemini = { wire: 'gemini', baseUrl: null } as const
  const at = (location: string, more = {}) =>
    secretsHost({
      ...gemini,
      settings: { authentication: 'service-account', project: 'acme', location, ...more },
    })
  const google = 'https://oauth2.googleapis.com (as a signature)'
  expect(at('global')).toBe(`https://aiplatform.googleapis.com and ${google}`)
  expect(at('eu')).toBe(`https://aiplatform.eu.rep.googleapis.com and ${google}`)
  expect(at('europe-west4')).toBe(`https://europe-west4-aiplatform.googleapis.com and ${google}`)
  expect(at('global', { authority: 'https://sign-in.example' })).toContain(
    'https://sign-in.example',
  )
  expect(at('evil.example/')).toBeNull()
  expect(secretsHost({ ...gemini, settings: {} })).toBe('https://generativelanguage.googleapis.com')
})

it('tells a key that signs from one that is sent, at the same host', () => {
  const bedrock = { wire: 'bedrock', baseUrl: null } as const
  const settings = { region: 'eu-west-1', accessKeyId: 'AKIDEXAMPLE012345' }
  const origin = 'https://bedrock-runtime.eu-west-1.amazonaws.com'
  expect(secretsHost({ ...bedrock, settings: { ...settings, authentication: 'key' } })).toBe(origin)
  expect(secretsHost({ ...bedrock, settings: { ...settings, authentication: 'bearer' } })).toBe(
    `${origin} (as a bearer token)`,
  )
  expect(connectionHost({ ...bedrock, settings })).toBe('bedrock-runtime.eu-west-1.amazonaws.com')
  expect(secretsHost({ ...bedrock, settings: { region: 'eu west' } })).toBeNull()
})
