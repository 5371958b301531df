import {
  findPlace,
  missingSandbox,
  protectedReadable,
  serverProblem,
} from '@/lib/domains/programs/place'
import { type StrongerRules, strongerRules } from '@/lib/domains/programs/suggested-rules'
import { storedServer, withStates } from '@/lib/domains/servers/stored'
import { folderProblem } from '@/lib/domains/workspaces/folder'
import { isOnNosuidMount } from '@/lib/engines/programs/set-id-files'
import { folderOwnerProblem } from '@/lib/engines/programs/workspace-owner'
import { builtinTools } from '@/lib/engines/tools/builtin/index.generated'
import type { Program } from '@/lib/generated/prisma/client'
import { db } from '@/lib/kernel/db'
import { protectionOf } from '@/lib/kernel/protected-folders'
import { localTools } from '@/lib/toolset/tools/installed-tools'
import { countOf } from '@/lib/words/format'
import { shellWord } from '../fix-command'
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

/** Checks whether tools can use the folders of the workspaces that are switched on, or that a start of the server switched off. */
export async function checkWorkspaces(): Promise<Finding[]> {
  const rows = await db().workspace.findMany({ orderBy: { name: 'asc' } })
  const findings: Finding[] = []
  for (const { name, realFolder, enabled } of rows) {
    const problem = await (enabled
      ? folderProblem(realFolder)
      : protectionOf(realFolder, 'workspace'))
    if (problem === null) continue
    const advice = `Correct it: toolgate workspace edit ${name} --folder FOLDER`
    findings.push(warn(`Workspace ${name}`, wordsOf(problem, enabled), advice))
  }
  if ((await db().program.count({ where: { enabled: true } })) > 0)
    for (const row of rows.filter(({ enabled }) => enabled))
      findings.push(...(await checkForPrograms(row)))
  const usable = rows.filter(({ enabled }) => enabled).length
  if (usable === 0 || findings.length > 0) return findings
  return [ok('Workspaces', `${countOf(usable, 'folder')} can be used`)]
}

/** Checks what programs need of a workspace: an owner as whom they can run, and a mount where set-id bits mean nothing. */
async function checkForPrograms({
  name,
  realFolder,
  writable,
}: {
  name: string
  realFolder: string
  writable: boolean
}): Promise<Finding[]> {
  const problem = await folderOwnerProblem(realFolder)
  const isOpen = writable && !(await isOnNosuidMount(realFolder))
  return [
    ...(problem === null
      ? []
      : [warn(`Workspace ${name}`, 'programs can be used, but not in it', problem)]),
    ...(isOpen ? [warn(`Workspace ${name}`, notNosuid, nosuidAdvice)] : []),
  ]
}

const notNosuid = 'programs may write in it, and its disk is not mounted with nosuid'
const nosuidAdvice =
  'Programs can set no set-user-id bits there. To be safe also from what others leave, put the folder on a disk that is mounted with nosuid.'

function wordsOf(problem: string, enabled: boolean): string {
  return `${enabled ? '' : 'switched off: '}${problem.replace(/\.$/, '')}`
}

/** Checks whether the programs that are switched on can be run, and in a sandbox. */
export async function checkPrograms(): Promise<Finding[]> {
  const all = await db().program.findMany({ orderBy: { name: 'asc' } })
  const rows = all.filter(({ enabled }) => enabled)
  const workspaces = await db().workspace.findMany({ select: { realFolder: true } })
  const folders = workspaces.map(({ realFolder }) => realFolder)
  const findings: Finding[] = []
  for (const program of all) {
    const place = await findPlace(program, folders)
    const found = place.ok ? await missingSandbox(program) : place.problem
    const problem = program.enabled ? found : await protectedReadable(program.readable)
    const stronger = strongerRules(program)
    if (stronger !== null)
      findings.push(
        warn(
          `Program ${program.name}`,
          wordsOf(stronger.weakness, program.enabled),
          fixOf(program, stronger),
        ),
      )
    if (problem === null) continue
    const advice = `Look: toolgate program show ${program.name}`
    findings.push(warn(`Program ${program.name}`, wordsOf(problem, program.enabled), advice))
  }
  if (rows.length === 0) return findings
  const none = await serverProblem()
  const boxes = none === null ? 'in a sandbox' : 'without a sandbox, as an admin accepted'
  if (findings.length > 0) return findings
  const words = `${countOf(rows.length, 'program')} can be run, ${boxes}`
  return [none === null ? ok('Programs', words) : warn('Programs', words, none)]
}

function fixOf(program: Program, { rules }: StrongerRules): string {
  const changed = (['first', 'subcommands', 'refused'] as const).filter(
    (key) => rules[key] !== program[key],
  )
  if (program.accepted !== null)
    return 'Open its page on the console, and use the suggested rules. It may run without a sandbox, so a terminal cannot change it.'
  const options = changed.map((key) => ` --${key}=${shellWord(rules[key] ?? '')}`)
  return `Use the suggested rules: toolgate program edit ${program.name}${options.join('')}`
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
