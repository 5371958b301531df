import { expect, test } from 'vitest'
import { settingProblems } from './connection-settings'

const entra = { authentication: 'entra', tenantId: 'contoso', clientId: 'app-1' }
const problems = (authority: string) =>
  settingProblems('azure-openai', { ...entra, authority }).map(({ key }) => key)

test.each([
  'https://login.example',
  'http://127.0.0.1:9',
  'http://localhost:8080',
  'http://[::1]:9',
])('a client secret may go to %s', (authority) => {
  expect(problems(authority)).toEqual([])
})

test.each([
  'http://login.example',
  'http://10.0.0.1',
  'http://localhost.example',
  'http://127.0.0.1.example',
  'ftp://127.0.0.1',
])('a client secret never goes to %s', (authority) => {
  expect(problems(authority)).toContain('authority')
})
