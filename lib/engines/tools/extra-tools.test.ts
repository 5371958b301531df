import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ToolError } from '@/lib/protocol/tool'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { memoryResources } from '@/tests/support/memory-resources'
import type { ToolDefinition } from './define-tool'
import { hasName, loadExtraTools } from './extra-tools'

let root = ''

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'extra-tools-'))
})

afterAll(() => {
  rmSync(root, { recursive: true })
})

/** Loads tools from a new folder for each call, because Node.js never loads the same module twice. */
function load(files: Record<string, string>): Promise<ToolDefinition[]> {
  const folder = mkdtempSync(join(root, 'case-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return loadExtraTools(folder)
}

const moduleText = (fields: string) => `export default { description: 'Does it.', ${fields} }`

describe('the look of a tool', () => {
  const name = "name: 'noted', execute: async () => ({ content: '' }),"
  const context = {
    signal: new AbortController().signal,
    actor: { userId: 'u', email: 'a@example.org', role: 'admin' as const },
    runId: 'r',
    configurationId: null,
    callId: 'c',
    resources: memoryResources(),
  }

  it('is given the run, and nothing of this installation', async () => {
    const text = moduleText(
      `${name} look: { read: async (_, context) => Object.keys(context).sort().join() }`,
    )
    const [tool] = await load({ 'noted.mjs': text })
    const given = 'actor,callId,configurationId,runId,signal'
    expect(await tool?.look?.read({}, context)).toBe(given)
  })

  it('reads text or nothing, and says what will be there', async () => {
    const text = moduleText(
      `${name} look: { read: async ({ at }) => at ?? null, becomes: ({ at }) => at + '!' }`,
    )
    const [tool] = await load({ 'noted.mjs': text })
    expect(await tool?.look?.read({ at: 'here' }, context)).toBe('here')
    expect(await tool?.look?.read({}, context)).toBeNull()
    expect(tool?.look?.becomes?.({ at: 'here' }, null)).toBe('here!')
  })

  it('gives nothing but text, and may leave open what will be there', async () => {
    const wrong = moduleText(`${name} look: { read: async () => 7 }`)
    const [tool] = await load({ 'noted.mjs': wrong })
    await expect(tool?.look?.read({}, context)).rejects.toThrow('must give text or null')
    expect(tool?.look?.becomes?.({}, null)).toBeNull()
    const [unusable] = await load({ 'noted.mjs': moduleText(`${name} look: { read: 'text' }`) })
    expect(unusable?.notLoaded).toContain('look.read: must be a function')
  })
})

describe('the samples', () => {
  it('load, sorted by file, with what they declare', async () => {
    const tools = await loadExtraTools('tests/support/extra-tools')
    expect(tools.map((tool) => [tool.name, tool.effect])).toEqual([
      ['append_line', 'write'],
      ['big_result', 'read'],
      ['draw_square', 'read'],
      ['hostile_text', 'read'],
      ['read_note', 'read'],
      ['slow_read', 'read'],
    ])
  })

  it('append a line, stop with their signal, and give big and hostile results and images', async () => {
    const tools = new Map(
      (await loadExtraTools('tests/support/extra-tools')).map((tool) => [tool.name, tool]),
    )
    const named = (name: string) => tools.get(name) ?? expect.fail(`no ${name}`)
    const file = join(root, 'lines.txt')
    process.env.TOOLGATE_TEST_APPEND_FILE = file
    await callToolDirectly(named('append_line'), { text: 'one\ntwo' })
    expect(readFileSync(file, 'utf8')).toBe('one two\n')
    const aborted = AbortSignal.abort()
    await expect(callToolDirectly(named('slow_read'), { ms: 60_000 }, {}, aborted)).rejects.toThrow(
      /abort/i,
    )
    await expect(callToolDirectly(named('slow_read'), { ms: -1 })).rejects.toThrow('ms:')
    const big = await callToolDirectly(named('big_result'), { kilobytes: 100 })
    expect(big.content).toHaveLength(102_400)
    const drawn = await callToolDirectly(named('draw_square'), { colour: '336699' })
    expect(drawn.images).toMatchObject([{ name: '336699.png', data: expect.any(Uint8Array) }])
    const hostile = await callToolDirectly(named('hostile_text'), {})
    expect(hostile.content).toContain('\u202e')
    delete process.env.TOOLGATE_TEST_APPEND_FILE
  })
})

describe('loadExtraTools', () => {
  it('takes what is left out as the strictest, and refuses unknown arguments', async () => {
    const [tool] = await load({
      'a.mjs': moduleText(`name: 'quiet_one', execute: async () => ({ content: null })`),
    })
    expect(tool).toMatchObject({
      group: 'extra',
      enabledByDefault: false,
      requiresAdmin: true,
      effect: 'write',
      dataClass: 'secret-adjacent',
      timeoutMs: 30_000,
      parameters: { type: 'object', additionalProperties: false },
    })
    if (tool === undefined) return expect.fail('no tool')
    await expect(callToolDirectly(tool, { surprise: 1 })).rejects.toThrow(
      'surprise is not a parameter',
    )
    expect(await callToolDirectly(tool, {})).toEqual({ content: null })
  })

  it('passes an error called ToolError with a code on, and any other as it is', async () => {
    const text =
      moduleText(`name: 'picky_one', parameters: { type: 'object', properties: { kind: { type: 'string' } } },
      execute: async ({ kind }) => { throw kind === 'plain' ? new Error('detail') : Object.assign(new Error('Say please.'), { name: 'ToolError', code: 'rude' }) }`)
    const [tool] = await load({ 'a.mjs': text })
    if (tool === undefined) return expect.fail('no tool')
    await expect(callToolDirectly(tool, {})).rejects.toEqual(new ToolError('rude', 'Say please.'))
    await expect(callToolDirectly(tool, {})).rejects.toBeInstanceOf(ToolError)
    await expect(callToolDirectly(tool, { kind: 'plain' })).rejects.not.toBeInstanceOf(ToolError)
  })

  it.each([
    'content: () => 1',
    'content: 1, images: [{ data: "iVBORw0KGgo=" }]',
    'content: 1, images: [{ data: new Uint8Array(1), mediaType: "image/png" }]',
  ])('refuses a result that is not made of JSON values and bytes: %s', async (fields) => {
    const [tool] = await load({
      'a.mjs': moduleText(`name: 'odd_one', execute: () => ({ ${fields} })`),
    })
    if (tool === undefined) return expect.fail('no tool')
    await expect(callToolDirectly(tool, {})).rejects.toThrow(
      'a.mjs must return { content, images?, artifacts?, leftOut? }',
    )
  })

  it('checks arguments against the whole schema, and keeps what it was loaded with', async () => {
    const [tool] = await load({
      'a.mjs': `const parameters = {
        type: 'object',
        $defs: { Money: { type: 'integer' } },
        properties: { amount: { $ref: '#/$defs/Money', maximum: 100 } },
        required: ['amount', 'approvalCode'],
        additionalProperties: { type: 'string' },
      }
      export default { description: 'Pays.', name: 'pay', parameters, execute: () => {
        parameters.properties.amount.maximum = 1_000_000
        return { content: 'paid' }
      } }`,
    })
    if (tool === undefined) return expect.fail('no tool')
    expect(await callToolDirectly(tool, { amount: 100, approvalCode: 'a' })).toEqual({
      content: 'paid',
    })
    await expect(callToolDirectly(tool, { amount: 5_000, approvalCode: 'a' })).rejects.toThrow(
      'amount: must be at most 100.',
    )
    await expect(callToolDirectly(tool, { amount: 1 })).rejects.toThrow(
      'approvalCode: is required.',
    )
  })
})

describe('a file that cannot be used', () => {
  it('is not loaded when a built-in or another file has its name', async () => {
    const execute = 'execute: async () => ({ content: 1 })'
    const twice = moduleText(`name: 'same_name', ${execute}`)
    const tools = await load({
      'a.mjs': moduleText(`name: 'get_env', ${execute}`),
      'b.mjs': twice,
      'c.mjs': twice,
      'd.mjs': 'export default { name: "same_name"',
    })
    expect(tools.map(({ name, notLoaded }) => [name, notLoaded])).toEqual([
      ['a.mjs', 'a.mjs calls itself get_env, the name of a built-in tool. Rename it.'],
      ['same_name', undefined],
      ['c.mjs', 'c.mjs calls itself same_name, the name of the extra tool b.mjs. Rename it.'],
      ['d.mjs', expect.stringContaining('d.mjs cannot be loaded: ')],
    ])
    expect(tools.map(hasName)).toEqual([false, true, false, false])
  })

  it.each([
    ['export default 1', 'tool', 'its default export'],
    ['export const a = 1', 'tool', 'its default export'],
    [moduleText(`name: 'Bad Name', execute: () => 1`), 'tool', 'name: must be lower-case words'],
    [moduleText(`name: 'a__b', execute: () => 1`), 'tool', 'name: must be lower-case words'],
    [moduleText(`name: 'no_execute'`), 'no_execute', 'execute: must be a function'],
    [moduleText(`name: 'typo', execute: () => 1, effects: 'read'`), 'typo', 'Unrecognized key'],
    ['export default {', 'tool', 'cannot be loaded: '],
    ['export default { name: "half_done", execute: (', 'half_done', 'cannot be loaded'],
    ['throw new Error("boom")', 'tool', 'cannot be loaded: Error: boom'],
    ['throw null', 'tool', 'cannot be loaded: null'],
    ['throw Object.create(null)', 'tool', 'it threw what is no error'],
    ['import "package-that-is-not-there"', 'tool', 'Cannot find package'],
    ['export default { get name() { throw new Error("boom") } }', 'tool', 'Error: boom'],
    [
      moduleText(`name: 'lists', execute: () => 1, parameters: { type: 'array' }`),
      'lists',
      'parameters.type must be "object"',
    ],
    [
      moduleText(`name: 'untyped', execute: () => 1, parameters: { properties: { a: {} } }`),
      'untyped',
      'parameters.type must be "object"',
    ],
    [
      moduleText(
        `name: 'odd', execute: () => 1, parameters: { type: 'object', properties: { a: { type: 'x' } } }`,
      ),
      'odd',
      'parameters.properties.a.type: Write one of string',
    ],
    [
      moduleText(
        `name: 'far', execute: () => 1, parameters: { type: 'object', properties: { a: { $ref: 'https://example.org/a' } } }`,
      ),
      'far',
      'Only references within the schema are followed',
    ],
    [
      `const parameters = { type: 'object' }; parameters.properties = { parameters }; ${moduleText(`name: 'round', execute: () => 1, parameters`)}`,
      'round',
      'parameters: must be an object made of JSON values',
    ],
  ])('keeps the name, and says why: %j', async (text, name, words) => {
    const good = moduleText(`name: 'good', execute: () => ({ content: 1 })`)
    const [first, second] = await load({ 'a.mjs': good, 'tool.mjs': text })
    expect(first).not.toHaveProperty('notLoaded')
    expect(second).toMatchObject({ name, enabledByDefault: false, effect: 'write' })
    expect(second?.notLoaded).toContain(words)
    expect(second?.notLoaded).toMatch(/^tool\.mjs cannot be (loaded|used): /)
    if (second) await expect(callToolDirectly(second, {})).rejects.toThrow()
  })

  it('is given up when it does not finish loading', async () => {
    const folder = mkdtempSync(join(root, 'case-'))
    writeFileSync(join(folder, 'slow-one.mjs'), 'await new Promise(() => {})')
    expect(await loadExtraTools(folder, 20)).toMatchObject([
      { name: 'slow_one', notLoaded: expect.stringContaining('It did not finish loading') },
    ])
  })

  it('says which setting to check when the folder is not there, and leaves other files alone', async () => {
    const folder = join(root, 'nowhere')
    expect(await loadExtraTools(folder)).toMatchObject([
      { name: folder, notLoaded: expect.stringContaining('Check TOOLGATE_EXTRA_TOOLS_DIR.') },
    ])
    expect(await load({ 'README.md': 'x', 'lib.js': 'throw 1' })).toEqual([])
  })
})
