import { Command } from 'commander'
import { expect, test } from 'vitest'
import { z } from 'zod'
import type { Ctx } from '@/lib/kernel/context'
import type { ResourceFields } from '@/lib/shape/resource'
import { readOptions, withFields } from './resource-options'

const fields: ResourceFields = {
  path: { kind: 'text', label: 'Path', schema: z.string(), option: { name: 'at', value: 'path' } },
  host: { kind: 'text', label: 'Host', schema: z.string().nullable(), defaultValue: null },
  secret: {
    kind: 'text',
    label: 'Secret',
    schema: z.string().nullable(),
    defaultValue: null,
    isSecret: true,
  },
  days: {
    kind: 'checkboxes',
    label: 'Days',
    choices: [{ value: 'mon', label: 'Monday' }],
    schema: z.array(z.string()),
    defaultValue: [],
    option: { none: 'on no day' },
  },
  rules: { kind: 'own', label: 'Rules', schema: z.array(z.number()), defaultValue: [] },
  isSure: {
    kind: 'checkbox',
    label: 'Sure',
    schema: z.boolean(),
    defaultValue: false,
    isConfirmation: true,
  },
  reason: {
    kind: 'text',
    codec: 'text',
    label: 'Reason',
    isOfConsole: true,
    optional: true,
    schema: z.string().nullable(),
    defaultValue: null,
  },
}

// No field refers to anything, so nothing is looked up for anybody.
const nobody: Ctx = {
  actor: { userId: '', email: '', role: 'member' },
  via: 'cli',
  ipAddress: null,
}

async function typed(isNew: boolean, ...words: string[]) {
  const made = withFields(new Command().exitOverride(), fields, isNew)
  made.configureOutput({ writeErr: () => {} }).parse(words, { from: 'user' })
  const rules = (texts: readonly string[]) => texts.map(Number)
  return readOptions(nobody, fields, made.opts(), { rules })
}

test('a new object needs what has no default value, and empties nothing', async () => {
  await expect(typed(true)).rejects.toThrow("required option '--at <path>' not specified")
  await expect(typed(true, '--at', '/', '--no-host')).rejects.toThrow("unknown option '--no-host'")
  expect(await typed(true, '--at', '/', '--days', 'mon')).toEqual({ path: '/', days: ['mon'] })
})

test('a change gives what is typed, and empties what may be empty but no secret', async () => {
  expect(await typed(false)).toEqual({})
  expect(await typed(false, '--no-reason')).toEqual({ reason: null })
  expect(await typed(false, '--rules', '1', '2', '--is-sure')).toEqual({
    rules: [1, 2],
    isSure: true,
  })
  const emptied = ['--no-host', '--no-days', '--no-rules']
  expect(await typed(false, ...emptied)).toEqual({ host: null, days: [], rules: [] })
  for (const kept of ['--no-secret', '--no-at', '--no-is-sure'])
    await expect(typed(false, kept)).rejects.toThrow(`unknown option '${kept}'`)
})

test('says what it means that a field is empty', () => {
  const help = withFields(new Command(), fields, false).helpInformation()
  expect(help).toMatch(/--no-days +on no day\n/)
  expect(help).toMatch(/--no-host +no host\n/)
})
