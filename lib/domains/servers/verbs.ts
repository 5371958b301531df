import { stat } from 'node:fs/promises'
import { fieldVault } from '@/lib/domains/vault/field-vault'
import { opensServer } from '@/lib/edge/persons-acts'
import { resourceVerbs } from '@/lib/edge/resource-verbs'
import { requireAllowedChange } from '@/lib/engines/egress/allowed-address'
import { db } from '@/lib/kernel/db'
import { ValidationError } from '@/lib/kernel/errors'
import { wordInside } from '@/lib/kernel/protected-folders'
import type { ValuesOf } from '@/lib/shape/field-codec'
import { parseCommandLine } from '@/lib/words/command-line'
import { endAccounts, endOtherAccounts, forgetClients } from './accounts'
import { servers } from './shape'
import { findServer, pairsOf, storedServer, withStates } from './stored'

/**
 * The operations on MCP servers. Every change by a person needs a recent confirmation of identity. API keys cannot
 * decide which program runs as a server (`opensServer`).
 */
export const serverVerbs = resourceVerbs(servers, {
  summaries: {
    create: 'Adds an MCP server. None of its tools is offered before a person accepted it.',
    update: 'Changes a server, or switches it. Fields that are left out stay, and so do secrets.',
    remove: 'Deletes a server with its secrets and its tools. Runs that called them stay.',
    list: 'Lists MCP servers, each with the number of its tools and whether it can be reached.',
    read: 'Returns one MCP server.',
  },
  most: 100,
  rows: async (client) => (await client.server.findMany({ include: withStates })).map(storedServer),
  changesPolicy: ['update', 'remove'],
  mayBreakCases: ['update'],
  store: {
    count: (client) => client.server.count(),
    find: findServer,
    insert: (tx, { command, ...columns }, secrets) =>
      tx.server.create({
        data: { ...columns, ...namesOf(secrets), command: parseCommandLine(command ?? '') ?? [] },
      }),
    write: async (tx, id, { command, ...columns }, secrets) => {
      await endOtherAccounts(tx, id, { ...columns, ...secrets })
      return tx.server.update({
        where: { id },
        data: {
          ...columns,
          ...namesOf(secrets),
          ...(command !== undefined && { command: parseCommandLine(command ?? '') ?? [] }),
          // Another server may be of another era.
          ...((leads(columns) || command !== undefined) && { eraAt: null }),
        },
      })
    },
    remove: async ({ tx }, { id }) => {
      const tools = await tx.remoteTool.findMany({ where: { serverId: id } })
      // Another server of this name must not find its tools switched on.
      const toolName = { in: tools.map(({ name }) => name) }
      await tx.toolOverride.deleteMany({ where: { toolName } })
      await tx.toolApproval.deleteMany({ where: { toolName } })
      await endAccounts(tx, { serverId: id })
      await forgetClients(tx, id)
      await tx.server.delete({ where: { id } })
    },
  },
  secrets: {
    vault: fieldVault,
    columns: {
      headers: 'headersSecretId',
      variables: 'variablesSecretId',
      clientSecret: 'clientSecretId',
    },
  },
  needsReauthentication: true,
  personsAct: (change) => (change.values && opensServer(change) ? 'server' : null),
  prepare: async (input, before) => {
    await refuseWritable(input, before)
    await requireAllowedChange('url', input, before)
  },
  check: (_caller, values, before, kept) => {
    const { url, command, cwd } = { ...before, ...values }
    if (before && kept.has('headers') && originOf(url) !== originOf(before.url)) {
      const words = `Enter the headers again. The stored ones are for ${originOf(before.url)} only.`
      throw new ValidationError({ headers: words })
    }
    if (before && kept.has('clientSecret') && originOf(url) !== originOf(before.url)) {
      const words = `Enter the client secret again. The stored one is for ${originOf(before.url)} only.`
      throw new ValidationError({ clientSecret: words })
    }
    const isAnother =
      before && (programOf(command) !== programOf(before.command) || cwd !== before.cwd)
    if (isAnother && kept.has('variables')) {
      const words = `Enter the variables again. The stored ones are for the old command${cwd === before.cwd ? '' : ' in its old folder'} only.`
      throw new ValidationError({ variables: words })
    }
  },
  audited: ({ headerNames, variableNames }) => ({ headerNames, variableNames }),
  listed: ({ toolCount, toReview, checkedAt, downSince, trouble }) => ({
    toolCount,
    toReview,
    checkedAt: checkedAt?.toISOString() ?? null,
    downSince: downSince?.toISOString() ?? null,
    trouble,
  }),
  detail: ({ saidName, saidVersion, protocol, headerNames, variableNames, problems }) => ({
    saidName,
    saidVersion,
    protocol,
    headerNames,
    variableNames,
    problems,
  }),
  searched: ({ name, url, command }) => [name, url, command],
  fits: ({ kind, toReview }, wanted) =>
    (wanted.kind === undefined || kind === wanted.kind) &&
    (wanted.review === undefined || toReview > 0),
})

/** Throws ValidationError for a folder that is not there, and for a command or folder with what tools may write. */
async function refuseWritable(input: Asked, before: Asked | null): Promise<void> {
  const { command, cwd } = { ...before, ...input }
  if (input.command === undefined && input.cwd === undefined) return
  if (cwd && !(await isFolder(cwd))) {
    const words = `There is no folder ${cwd} on this server, or it cannot be read. Make it, or correct the path.`
    throw new ValidationError({ cwd: words })
  }
  const rows = await db().workspace.findMany({ where: { writable: true } })
  const folders = rows.map(({ realFolder }) => realFolder)
  const inside = (words: readonly string[]) => wordInside(words, folders, cwd)
  const folder = cwd ? await inside([cwd]) : null
  const word = folder ?? (await inside(parseCommandLine(command ?? '') ?? []))
  if (word === null) return
  const words = `${word} is in a workspace, where tools may change it. Put it elsewhere.`
  throw new ValidationError({ [folder === null ? 'command' : 'cwd']: words })
}

async function isFolder(folder: string): Promise<boolean> {
  const found = await stat(folder).catch(() => null)
  return found?.isDirectory() ?? false
}

type Asked = Partial<ValuesOf<typeof servers.fields>>

/** Returns the columns with the names of what is secret. */
function namesOf({ headers, variables }: { headers?: string | null; variables?: string | null }) {
  return {
    ...(headers !== undefined && { headerNames: Object.keys(pairsOf('headers', headers)).sort() }),
    ...(variables !== undefined && {
      variableNames: Object.keys(pairsOf('variables', variables)).sort(),
    }),
  }
}

function leads({ url, privateAddressAllowed }: Asked): boolean {
  return url !== undefined || privateAddressAllowed !== undefined
}

function originOf(url: string | null | undefined): string {
  return url && URL.canParse(url) ? new URL(url).origin : ''
}

function programOf(command: string | null | undefined): string {
  return command ?? ''
}
