import type { Command } from 'commander'
import type { Ctx } from '@/lib/kernel/context'
import { ValidationError } from '@/lib/kernel/errors'
import { countOf } from '@/lib/words/format'
import { command } from '../command'
import { cutLine, printLine, printTable } from '../print'

const verbs = () => import('@/lib/domains/memory/verbs')

const maxTextBytes = 64 * 1024

type Named = { configuration?: string }
type DeleteOptions = Named & { all?: boolean; user?: string; reason?: string }

export function addMemoryCommands(program: Command): void {
  const memory = program
    .command('memory')
    .description('what runs remember for a person with a configuration')
  addList(memory)
  command<{ text: string }>(memory, 'edit', {
    description: 'give a note of your own another text',
    args: { '<id>': 'id of the note, from the list' },
    options: (made) => made.requiredOption('--text <text>', 'new text; - reads standard input'),
    work: async ({ ctx, args: [id = ''], options }) => {
      const text = options.text === '-' ? await readText() : options.text
      await (await verbs()).editNote(ctx, { id, text })
      return { json: { id, edited: true }, text: 'Changed the note.' }
    },
  })
  command<DeleteOptions>(memory, 'delete', {
    description: 'delete a note of your own, or all notes of a person',
    args: { '[id]': 'id of the note, from the list' },
    reason: true,
    options: (made) =>
      withConfiguration(made.option('--all', 'all notes in place of one')).option(
        '--user <email>',
        'with --all: the notes of this person, as an admin',
      ),
    work: ({ ctx, args: [id], options }) => deleteNotes(ctx, id, options),
  })
  addSizes(memory)
}

function addList(memory: Command): void {
  command<Named & { search?: string }>(memory, 'list', {
    description: 'list your own notes, newest first',
    options: (made) =>
      withConfiguration(made).option('--search <text>', 'words of the note, or a part of it'),
    work: async ({ ctx, options: { configuration, search } }) => {
      const filter = { configuration, search, pageSize: 100 }
      const { notes, total } = await (await verbs()).listNotes(ctx, filter)
      return {
        json: notes,
        text: () => {
          printTable(
            ['ID', 'CONFIGURATION', 'NOTE', 'RUN', 'CHANGED'],
            notes.map(({ id, text, run, ...note }) => [
              id,
              note.configuration.name,
              cutLine(text),
              run?.id ?? '',
              note.updatedAt,
            ]),
          )
          if (total > notes.length) printLine(`Showing ${notes.length} of ${total}.`)
        },
      }
    },
  })
}

function addSizes(memory: Command): void {
  command<{ search?: string }>(memory, 'sizes', {
    description: 'list how many notes people have with each configuration; not what they say',
    options: (made) => made.option('--search <text>', 'a part of the person or the configuration'),
    work: async ({ ctx, options: { search } }) => {
      const { listMemorySizes } = await import('@/lib/domains/memory/reads')
      const { sizes, total } = await listMemorySizes(ctx, { search, pageSize: 100 })
      return {
        json: sizes,
        text: () => {
          printTable(
            ['PERSON', 'CONFIGURATION', 'NOTES', 'BYTES'],
            sizes.map(({ person, configuration, notes, bytes }) => [
              person.email,
              configuration.name,
              String(notes),
              String(bytes),
            ]),
          )
          if (total > sizes.length) printLine(`Showing ${sizes.length} of ${total}.`)
        },
      }
    },
  })
}

function withConfiguration(made: Command): Command {
  return made.option('--configuration <name>', 'id or identifier of a configuration')
}

async function readText(): Promise<string> {
  return (await import('@/lib/doors/cli/input/read-input')).readStandardInput(maxTextBytes)
}

async function deleteNotes(ctx: Ctx, id: string | undefined, options: DeleteOptions) {
  const { all = false, user, configuration, reason } = options
  if (all === (id !== undefined))
    throw new ValidationError({ id: 'Give the id of one note, or --all.' })
  const { clearMemory, deleteNote } = await verbs()
  if (id !== undefined) {
    if (user !== undefined || configuration !== undefined) {
      throw new ValidationError({ id: '--user and --configuration go with --all.' })
    }
    await deleteNote(ctx, { id })
    return { json: { id, deleted: 1 }, text: 'Deleted the note.' }
  }
  const userId = user === undefined ? undefined : await userIdOf(ctx, user)
  const { deleted } = await clearMemory(ctx, { userId, configuration, reason })
  return { json: { deleted }, text: `Deleted ${countOf(deleted, 'note')}.` }
}

async function userIdOf(ctx: Ctx, email: string): Promise<string> {
  const { findUser } = await import('@/lib/domains/users/reads')
  return (await findUser(ctx, email)).id
}
