import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { noteText } from '@/lib/protocol/memory'
import { ToolError } from '@/lib/protocol/tool'
import { callToolDirectly } from '@/tests/support/call-tool-directly'
import { memoryResources } from '@/tests/support/memory-resources'
import { notesInMemory } from '@/tests/support/notes-in-memory'
import { bindTool } from '../bind-tool'
import memoryRead from './memory-read'
import memoryWrite from './memory-write'

const missing = new ToolError(
  'not-found',
  'Note not found or not yours. Read the notes with memory_read for their ids.',
)

function memoryOfTest() {
  const memory = notesInMemory()
  return {
    memory,
    write: (args: unknown) => callToolDirectly(memoryWrite, args, { memory }),
    read: async (args: unknown = {}) =>
      (await callToolDirectly(memoryRead, args, { memory })).content,
  }
}

describe('memory_write', () => {
  it('adds, replaces and deletes a note', async () => {
    const { write, read, memory } = memoryOfTest()
    await write({ mode: 'add', content: '  The report is due on Friday.\u0000\n' })
    const [note] = await memory.read({ search: null, limit: 1 })
    expect(note?.text).toBe('The report is due on Friday.')
    const id = note?.id ?? ''
    await write({ mode: 'replace', note: id.toUpperCase(), content: 'It is due on Monday.' })
    expect(await read()).toMatchObject([{ id, text: 'It is due on Monday.' }])
    expect(await write({ mode: 'delete', note: id })).toEqual({ content: { deleted: id } })
    expect(await read()).toEqual([])
  })

  it('keeps the same text once, whatever is around it', async () => {
    const { write, read } = memoryOfTest()
    const { content } = await write({ mode: 'add', content: 'One.' })
    const id = Object(content).added
    expect(await write({ mode: 'add', content: ' One.\n' })).toMatchObject({
      content: { known: id },
    })
    expect(await read()).toHaveLength(1)
  })

  it('does not make two notes the same', async () => {
    const { write } = memoryOfTest()
    await write({ mode: 'add', content: 'One.' })
    const { content } = await write({ mode: 'add', content: 'Two.' })
    const change = { mode: 'replace', note: Object(content).added, content: 'One.' }
    await expect(write(change)).rejects.toMatchObject({ code: 'same-text' })
  })

  it.each([
    '0198a000-0000-7000-8000-00000000ffff',
    'x',
    "1' OR 1=1 --",
    '../notes',
    '0198a000-0000-7000-8000-000000000001\n',
  ])('answers %j, which is no note of this person, with one sentence', async (note) => {
    const { write, memory } = memoryOfTest()
    await memory.add('Stays.')
    await expect(write({ mode: 'delete', note })).rejects.toEqual(missing)
    await expect(write({ mode: 'replace', note, content: 'Other.' })).rejects.toEqual(missing)
    expect(await memory.has('Stays.')).toBe(true)
  })

  it.each([
    [{ mode: 'add' }, 'content: The mode add needs it.'],
    [{ mode: 'add', content: ' \u0000\n' }, 'content: The mode add needs it.'],
    [{ mode: 'replace', content: 'a' }, 'note: The mode replace needs it'],
    [{ mode: 'replace', note: 'a' }, 'content: The mode replace needs it.'],
    [{ mode: 'delete', content: 'a' }, 'note: The mode delete needs it'],
    [{ mode: 'add', content: 'a'.repeat(4_001) }, 'content: Too big'],
    [{ mode: 'forget', note: 'a' }, 'mode: Invalid option'],
    [{ mode: 'add', content: 'a', userId: 'b' }, 'userId is not a parameter of this tool'],
  ])('refuses %j before anybody is asked', async (args, words) => {
    await expect(memoryOfTest().write(args)).rejects.toThrow(words)
  })

  it('says what to do when the memory is full', async () => {
    const { write, memory } = memoryOfTest()
    for (let count = 0; count < 200; count += 1) await memory.add(`Note ${count}`)
    await expect(write({ mode: 'add', content: 'One more' })).rejects.toEqual(
      new ToolError(
        'memory-full',
        'The memory is full: at most 200 notes. Replace or delete a note first.',
      ),
    )
  })

  it('shows an approver what the note is, and what it becomes', async () => {
    const memory = notesInMemory()
    const tool = bindTool(memoryWrite, () => memoryResources({ memory }))
    const actor = { userId: 'u', email: 'a@example.org', role: 'member' } as const
    const { signal } = new AbortController()
    const context = { signal, actor, runId: 'r', configurationId: 'g', callId: 'c' }
    const look = async (args: Record<string, string>) => {
      const parsed = tool.parse(args)
      if (!parsed.ok) throw new Error(parsed.issues.join(' '))
      const before = await tool.look?.read(parsed.args, context)
      return [before, tool.look?.becomes?.(parsed.args, typeof before === 'object' ? null : before)]
    }
    expect(await look({ mode: 'add', content: ' New. ' })).toEqual([null, 'New.'])
    await memory.add('New.')
    expect(await look({ mode: 'add', content: 'New.' })).toEqual(['New.', 'New.'])
    const [{ id: note } = { id: '' }] = await memory.read({ search: null, limit: 1 })
    expect(await look({ mode: 'replace', note, content: 'Newer.' })).toEqual(['New.', 'Newer.'])
    expect(await look({ mode: 'delete', note })).toEqual(['New.', null])
    expect(await look({ mode: 'delete', note: 'x' })).toEqual([null, null])
  })
})

test('no note has text that a database or a model cannot take', () => {
  fc.assert(
    fc.property(fc.uint16Array({ maxLength: 200 }), (units) => {
      const text = noteText(String.fromCharCode(...units))
      expect(text).not.toMatch(/\0/)
      expect(text.isWellFormed()).toBe(true)
      expect(noteText(text)).toBe(text)
    }),
  )
})

describe('memory_read', () => {
  it('returns what models wrote, so that its results are not trusted', () => {
    expect(memoryRead).not.toHaveProperty('trusted')
  })

  it('returns the newest notes, 20 unless asked otherwise', async () => {
    const { read, memory } = memoryOfTest()
    for (let count = 1; count <= 60; count += 1) await memory.add(`Note ${count}`)
    expect(await read()).toHaveLength(20)
    expect(await read({ limit: 50 })).toHaveLength(50)
    expect(await read({ query: ' Note 42 ' })).toMatchObject([{ text: 'Note 42' }])
    await expect(read({ limit: 51 })).rejects.toThrow('limit: Too big')
    await expect(read({ query: '   ' })).rejects.toThrow('query: Too small')
  })
})
