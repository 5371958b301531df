import { z } from 'zod'
import { type MemoryFull, memoryLimits, noteText } from '@/lib/protocol/memory'
import { type JsonValue, ToolError } from '@/lib/protocol/tool'
import { defineTool } from '../define-tool'
import type { ToolResources } from '../tool-resources'

const { characters, notes, bytes } = memoryLimits
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

const Parameters = z
  .object({
    mode: z
      .enum(['add', 'replace', 'delete'])
      .describe('add = a new note; replace and delete = the note that `note` names.'),
    content: z
      .string()
      .max(characters)
      .default('')
      .describe('What the note is to say, for add and replace.'),
    note: z
      .string()
      .max(100)
      .default('')
      .describe('The id from memory_read, for replace and delete.'),
  })
  .superRefine(({ mode, content, note }, { addIssue }) => {
    if (mode !== 'delete' && noteText(content) === '') {
      addIssue({ code: 'custom', path: ['content'], message: `The mode ${mode} needs it.` })
    }
    if (mode !== 'add' && note === '') {
      const message = `The mode ${mode} needs it: an id that memory_read returns.`
      addIssue({ code: 'custom', path: ['note'], message })
    }
  })
type Parameters = z.output<typeof Parameters>

export default defineTool({
  name: 'memory_write',
  isPlain: true,
  description:
    'Keeps a note for later runs of this person with this configuration. Use it for what will still be true and useful next time: ' +
    'decisions, preferences, names, the state of longer work. Write one fact a note, in full sentences, and never passwords or ' +
    'keys. Read with memory_read first: replace a note that is out of date instead of adding another one. The same text twice is ' +
    'one note.',
  group: 'memory',
  parameters: Parameters,
  enabledByDefault: false,
  requiresAdmin: false,
  effect: 'idempotent-write',
  dataClass: 'content',
  timeoutMs: 10_000,
  limits: [
    `${characters.toLocaleString('en')} characters a note`,
    `${notes} notes for each person and configuration`,
    `${bytes / 1024} KiB of them together`,
  ],
  example: { mode: 'add', content: 'Reports are to be written in German.' },
  look: {
    read: async (args, { resources: { memory } }) => {
      if (args.mode !== 'add') return textOf(memory, args)
      const text = noteText(args.content)
      return (await memory.has(text)) ? text : null
    },
    becomes: (args) => (args.mode === 'delete' ? null : noteText(args.content)),
  },
  execute: async (args, { resources: { memory } }) => {
    switch (args.mode) {
      case 'add':
        return { content: await add(memory, noteText(args.content)) }
      case 'replace':
        return { content: await replace(memory, noteId(args), noteText(args.content)) }
      case 'delete': {
        const id = noteId(args)
        if (!(await memory.delete(id))) throw missingNote()
        return { content: { deleted: id } }
      }
      default:
        return args.mode satisfies never
    }
  },
})

type Memory = ToolResources['memory']

async function add(memory: Memory, text: string): Promise<JsonValue> {
  const added = await memory.add(text)
  if (added.type === 'full') throw noRoom(added.of)
  const { id, isNew } = added
  return isNew ? { added: id } : { known: id, hint: 'This note was there already.' }
}

async function replace(memory: Memory, id: string, text: string) {
  const replaced = await memory.replace(id, text)
  switch (replaced.type) {
    case 'replaced':
      return { replaced: id }
    case 'missing':
      throw missingNote()
    case 'taken':
      throw new ToolError(
        'same-text',
        'Another note says exactly this already. Delete the one that is out of date instead.',
      )
    case 'full':
      throw noRoom(replaced.of)
    default:
      return replaced satisfies never
  }
}

async function textOf(memory: Memory, { note }: Parameters): Promise<string | null> {
  return uuid.test(note) ? memory.textOf(note.toLowerCase()) : null
}

/** Returns the id of a note. Text that is no id gets the same words as an id that nobody, or somebody else, has. */
function noteId({ note }: Parameters): string {
  if (!uuid.test(note)) throw missingNote()
  return note.toLowerCase()
}

function missingNote(): ToolError {
  return new ToolError(
    'not-found',
    'Note not found or not yours. Read the notes with memory_read for their ids.',
  )
}

function noRoom(of: MemoryFull): ToolError {
  const most = of === 'notes' ? `${notes} notes` : `${bytes / 1024} KiB of notes`
  return new ToolError(
    'memory-full',
    `The memory is full: at most ${most}. Replace or delete a note first.`,
  )
}
