import { expect, test } from 'vitest'
import { textTool } from '@/tests/support/mcp/script'
import { ToolDefinitionRecord } from './definition'
import { hintsAbout } from './hints'

const about = (fields: Record<string, unknown>, others: ReadonlySet<string> = new Set()) =>
  hintsAbout(ToolDefinitionRecord.parse(textTool('echo', fields)), others)
const ofAnother = 'Its text is about another tool.'
const notWhole = 'Its text is long. Only the first 65,536 characters were looked at.'

/** A set that counts how often somebody goes through all of it. */
class Counted extends Set<string> {
  passes = 0
  override [Symbol.iterator]() {
    this.passes++
    return super[Symbol.iterator]()
  }
}

test('the names of other tools are looked up, however many texts a definition has', () => {
  const names = Array.from({ length: 50 }, (_, at) => `read_thing_${at}`)
  const others = new Counted(names)
  const choices = Array.from({ length: 100 }, () => 'a')
  const inputSchema = { type: 'object', properties: { a: { enum: choices } } }
  expect(about({ inputSchema }, others)).toEqual([])
  expect(about({ inputSchema, title: 'read_thing_49' }, others)).toEqual([ofAnother])
  expect(others.passes).toBe(0)
})

test.each([
  'Call send_mail first.',
  'Better than **_send_mail_**.',
  'See mail/send_mail, or send_mail() of another server.',
  'Better than files/read-the_text.',
  'Better than _own.',
])('a text is about another tool: %s', (description) => {
  const others = new Set(['send_mail', 'files/read-the_text', '_own', 'first'])
  expect(about({ description }, others)).toEqual([ofAnother])
})

test('a text that only has a plain word, or a part of a longer name, is about no other tool', () => {
  const others = new Set(['search', 'send_mail'])
  expect(about({ description: 'A search like send_mail_now.' }, others)).toEqual([])
})

test('only the first part of a long definition is examined, and a hint says so', () => {
  const properties = (length: number) => ({
    a: { description: 'x'.repeat(length) },
    b: { description: 'You must call this.' },
  })
  const hintsOf = (length: number) =>
    about({ inputSchema: { type: 'object', properties: properties(length) } })
  expect(hintsOf(65_000)).toEqual(['Its text gives orders to the model.'])
  expect(hintsOf(66_000)).toEqual([notWhole])
})
