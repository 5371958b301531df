import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { memoryResources } from '@/tests/support/memory-resources'
import { bindTool } from './bind-tool'
import { defineTool } from './define-tool'

const definition = defineTool({
  name: 'find_rows',
  description: 'Finds rows.',
  group: 'data',
  parameters: z.object({
    table: z.string().max(20),
    limit: z.int().min(1).max(50).default(20),
    filters: z
      .array(z.object({ column: z.string(), value: z.string() }))
      .max(5)
      .optional(),
    notes: z.array(z.string()).optional(),
  }),
  enabledByDefault: true,
  requiresAdmin: false,
  effect: 'read',
  dataClass: 'content',
  timeoutMs: 30_000,
  limits: ['50 rows'],
  example: { table: 'users' },
  isPlain: true,
  execute: async (args, { resources }) => ({ content: { ...args, ...resources.environment() } }),
})
const tool = bindTool(definition, () => memoryResources({ environment: () => ({ bound: 'yes' }) }))

describe('bindTool', () => {
  it('fills defaults in and runs with the resources it was bound to', async () => {
    const parsed = tool.parse({ table: 'users' })
    expect(parsed).toEqual({ ok: true, args: { table: 'users', limit: 20 } })
    const signal = new AbortController().signal
    const actor = { userId: 'u', email: 'a@b.c', role: 'member' } as const
    const context = { signal, actor, runId: 'r', configurationId: 'g', callId: 'c' }
    expect(await tool.execute({ table: 'users', limit: 20 }, context)).toEqual({
      content: { table: 'users', limit: 20, bound: 'yes' },
    })
  })

  it('keeps the facts and leaves schema and resources out of what the runtime sees', () => {
    expect(tool).toMatchObject({ name: 'find_rows', effect: 'read', timeoutMs: 30_000 })
    expect(tool).not.toHaveProperty('schema')
    expect(tool).not.toHaveProperty('resources')
  })

  it('says where and what is wrong', () => {
    expect(tool.parse({ table: 7, limit: 99, filters: [{ column: 'a' }] })).toEqual({
      ok: false,
      issues: [
        'table: Invalid input: expected string, received number.',
        'limit: Too big: expected number to be <=50.',
        'filters[0].value: Invalid input: expected string, received undefined.',
      ],
    })
    expect(tool.parse({ table: 'a', offset: 1 })).toEqual({
      ok: false,
      issues: ['offset is not a parameter of this tool: it takes table, limit, filters, notes.'],
    })
  })

  it.each([null, [], 'text', 7, undefined])('refuses %j in place of an object', (args) => {
    const parsed = tool.parse(args)
    expect(parsed.ok).toBe(false)
    expect(parsed).toHaveProperty(
      'issues.0',
      expect.stringContaining('The arguments are not valid'),
    )
  })

  it('never echoes a value that was sent', () => {
    const secret = 'XSECRETX'
    const hostile = fc.oneof(
      fc.constant(secret),
      fc.constant([secret]),
      fc.constant({ k: secret }),
      fc.constant(secret.repeat(10)),
    )
    fc.assert(
      fc.property(hostile, hostile, hostile, (table, limit, filters) => {
        const parsed = tool.parse({ table, limit, filters })
        expect(JSON.stringify(parsed.ok ? [] : parsed.issues)).not.toContain(secret)
      }),
    )
  })

  it('makes unknown names printable and short, and lists at most ten problems', () => {
    const wild = tool.parse({ table: 'a', [`\u001b[31m\n${'x'.repeat(200)}`]: 1 })
    expect(wild).toHaveProperty(
      'issues.0',
      expect.stringMatching(/^\?\?31m\?x{54}… is not a parameter/),
    )
    const many = tool.parse({ table: 'a', notes: Array.from({ length: 30 }, () => 1) })
    expect(many).toHaveProperty('issues.length', 11)
  })

  it.each(['__proto__', 'constructor', 'toString'])('refuses %s as an unknown name', (name) => {
    expect(tool.parse(JSON.parse(`{"table":"a","${name}":{"limit":1}}`)).ok).toBe(false)
  })
})

describe('defineTool', () => {
  const facts = {
    description: 'Says nothing.',
    group: 'system',
    enabledByDefault: false,
    requiresAdmin: true,
    effect: 'read',
    dataClass: 'content',
    timeoutMs: 1_000,
    limits: [],
    example: {},
    isPlain: true,
    execute: async () => ({ content: null }),
  } as const

  it('sends no parameter to models that a tool does not have', () => {
    const plain = defineTool({ ...facts, name: 'nothing_said', parameters: z.object({}) })
    expect(plain.parameters).toEqual({
      type: 'object',
      properties: {},
      additionalProperties: false,
    })
  })

  it.each(['', 'Upper', 'two__underscores', '1st', 'a-b', 'a'.repeat(65), 'naïve'])(
    'refuses the name "%s"',
    (name) => {
      const declare = () => defineTool({ ...facts, name, parameters: z.object({}) })
      expect(declare).toThrow('is not a tool name')
    },
  )
})
