import { opensProgram } from '@/lib/edge/persons-acts'
import { resourceVerbs } from '@/lib/edge/resource-verbs'
import { db } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import { findPlace, missingSandbox, readVersion } from './place'
import { programs } from './shape'
import { findProgram } from './stored'

/** The operations on programs. Opening the server to one needs a fresh proof. */
export const programVerbs = resourceVerbs(programs, {
  summaries: {
    create: 'Adds a program of the server, which exec may run from then on.',
    update: 'Changes a program, or switches it. Fields that are left out stay.',
    remove: 'Deletes a program: exec can no longer run it. Its file stays.',
    list: 'Lists programs.',
    read: 'Returns one program with its version, and why it cannot be run now.',
  },
  most: 100,
  rows: (client) => client.program.findMany(),
  store: {
    count: (client) => client.program.count(),
    find: findProgram,
    insert: (tx, data) => tx.program.create({ data }),
    write: (tx, id, data) => tx.program.update({ where: { id }, data }),
    remove: ({ tx }, { id }) => tx.program.delete({ where: { id } }),
  },
  needsReauthentication: true,
  personsAct: (change) => (change.values && opensProgram(change) ? 'program' : null),
  prepare: async (input, before) => {
    const program = { ...noProgram, ...before, ...input }
    if (input.path !== undefined || input.readable !== undefined || input.enabled) {
      const place = await findPlace(program, await workspaceFolders())
      if (!place.ok) throw new ValidationError({ [place.field]: place.problem })
    }
    const problem = program.enabled ? await missingSandbox(program) : null
    if (problem !== null) {
      const advice =
        program.accepted === null
          ? 'Say on the console why it may run without one, or leave it switched off.'
          : 'Until then, leave it switched off.'
      throw new ValidationError({ accepted: `${problem} ${advice}` })
    }
  },
  check: ({ ctx }, values, before) => {
    const { accepted = before?.accepted ?? null } = values
    if (ctx.via === 'console' || ctx.via === 'system' || accepted === null) return
    if (opensProgram({ values: { ...values, enabled: undefined }, before }))
      throw new ValidationError({ accepted: onConsole })
  },
  detail: async (program) => {
    const place = await findPlace(program, await workspaceFolders())
    const problem = place.ok ? await missingSandbox(program) : place.problem
    return { trouble: problem, version: await readVersion(place) }
  },
})

const onConsole =
  'Only a person on the console says why a program may run without a sandbox, and changes one that may.'

const noProgram = { name: '', path: '', readable: null, accepted: null, enabled: true }

async function workspaceFolders(): Promise<string[]> {
  const rows = await db().workspace.findMany({ select: { realFolder: true } })
  return rows.map(({ realFolder }) => realFolder)
}
