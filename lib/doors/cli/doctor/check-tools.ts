import { findPlace, missingSandbox, serverTrouble } from '@/lib/domains/programs/place'
import { storedServer, withStates } from '@/lib/domains/servers/stored'
import { folderTrouble } from '@/lib/domains/workspaces/folder'
import { builtinTools } from '@/lib/engines/tools/builtin/index.generated'
import { db } from '@/lib/kernel/db'
import { countOf } from '@/lib/protocol/format'
import { localTools } from '@/lib/toolset/installed-tools'
import { type Finding, fail, ok, warn } from './finding'

/** Checks whether every file of the folder of extra tools could be used. */
export async function checkTools(): Promise<Finding[]> {
  const tools = await localTools()
  const findings = tools.flatMap(({ name, notLoaded }) =>
    notLoaded === undefined
      ? []
      : fail(
          `Tool ${name}`,
          `not loaded: ${notLoaded.replace(/\.$/, '')}`,
          'Correct the file, and start the server again. Everything else works without it.',
        ),
  )
  const extra = tools.length - builtinTools.length - findings.length
  const loaded = `${builtinTools.length} built-in and ${countOf(extra, 'extra tool')} loaded`
  return [...findings, ...(findings.length > 0 ? [] : [ok('Tools', loaded)])]
}

/** Checks whether tools can use the folders of the workspaces that are switched on. */
export async function checkWorkspaces(): Promise<Finding[]> {
  const rows = await db().workspace.findMany({ where: { enabled: true }, orderBy: { name: 'asc' } })
  const findings: Finding[] = []
  for (const { name, realFolder } of rows) {
    const trouble = await folderTrouble(realFolder)
    if (trouble === null) continue
    const advice = `Correct it: toolgate workspace edit ${name} --folder FOLDER`
    findings.push(warn(`Workspace ${name}`, trouble.replace(/\.$/, ''), advice))
  }
  if (rows.length === 0 || findings.length > 0) return findings
  return [ok('Workspaces', `${countOf(rows.length, 'folder')} can be used`)]
}

/** Checks whether the programs that are switched on can be run, and in a sandbox. */
export async function checkPrograms(): Promise<Finding[]> {
  const rows = await db().program.findMany({ where: { enabled: true }, orderBy: { name: 'asc' } })
  if (rows.length === 0) return []
  const workspaces = await db().workspace.findMany({ select: { realFolder: true } })
  const folders = workspaces.map(({ realFolder }) => realFolder)
  const findings: Finding[] = []
  for (const program of rows) {
    const place = await findPlace(program, folders)
    const trouble = place.ok ? await missingSandbox(program) : place.trouble
    if (trouble === null) continue
    const advice = `Look: toolgate program show ${program.name}`
    findings.push(warn(`Program ${program.name}`, trouble.replace(/\.$/, ''), advice))
  }
  const none = await serverTrouble()
  const boxes = none === null ? 'in a sandbox' : 'without a sandbox, as an admin accepted'
  if (findings.length > 0) return findings
  const words = `${countOf(rows.length, 'program')} can be run, ${boxes}`
  return [none === null ? ok('Programs', words) : warn('Programs', words, none)]
}

/** Checks which MCP servers could not be reached the last time, and whether tools of them wait for a person. */
export async function checkServers(): Promise<Finding[]> {
  const rows = await db().server.findMany({ where: { enabled: true }, include: withStates })
  const servers = rows.map(storedServer)
  const down = servers.flatMap(({ name, downSince, trouble }) =>
    downSince === null
      ? []
      : warn(
          `Server ${name}`,
          `not reached since ${downSince.toISOString()}: ${trouble.replace(/\.$/, '')}`,
          `Try it: toolgate server check ${name}`,
        ),
  )
  const waiting = servers.flatMap(({ name, toReview }) =>
    toReview === 0
      ? []
      : warn(
          `Server ${name}`,
          `${countOf(toReview, 'tool')} to review`,
          `Look: toolgate server tools ${name}`,
        ),
  )
  if (servers.length === 0 || down.length + waiting.length > 0) return [...down, ...waiting]
  return [ok('Servers', `${countOf(servers.length, 'MCP server')}, all reached the last time`)]
}
