import { expect, it } from 'vitest'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import getEnv from './get-env'
import getEnvRaw from './get-env-raw'

const environment = () => ({
  PORT: '3000',
  NODE_ENV: 'production',
  HOME: '/home/ada',
  OPENAI_API_KEY: 'sk-very-secret-1234',
  DATABASE_URL: 'postgresql://toolgate:pa55word@db.internal/toolgate',
  BUILD_ID: 'f00dfeedf00dfeed01',
  UNSET: undefined,
})

it('get_env shows plain settings and says why it hides the others', async () => {
  const { content } = await callToolDirectly(getEnv, {}, { environment })
  expect(content).toEqual([
    { name: 'BUILD_ID', value: '[redacted: looks like a secret]' },
    { name: 'DATABASE_URL', value: '[redacted: its name says that it is a secret]' },
    { name: 'HOME', value: '[redacted: a path]' },
    { name: 'NODE_ENV', value: 'production' },
    { name: 'OPENAI_API_KEY', value: '[redacted: its name says that it is a secret]' },
    { name: 'PORT', value: '3000' },
  ])
})

it('get_env_raw shows values, but never what holds a secret', async () => {
  const { content } = await callToolDirectly(getEnvRaw, {}, { environment })
  expect(content).toEqual([
    { name: 'BUILD_ID', value: 'f00dfeedf00dfeed01' },
    { name: 'DATABASE_URL', value: '[redacted: its name says that it is a secret]' },
    { name: 'HOME', value: '/home/ada' },
    { name: 'NODE_ENV', value: 'production' },
    { name: 'OPENAI_API_KEY', value: '[redacted: its name says that it is a secret]' },
    { name: 'PORT', value: '3000' },
  ])
})
