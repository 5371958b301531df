import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { createApiKey } from '@/lib/joined-verbs'
import type { Ctx } from '@/lib/kernel/context'
import type { CheckMode } from '@/lib/protocol/check/check'
import { advanceCheckRun } from '@/lib/runs/checks/advance-check-run'
import { readCheckRun } from '@/lib/runs/checks/read-check-runs'
import { saveCheck } from '@/lib/runs/checks/save-check'
import { runCheck } from '@/lib/runs/checks/start-check'
import { type Engine, runningEngine } from '@/lib/runs/engine/engine'
import { type ApprovalSite, approvalSiteOfFile } from './approval-site'
import { db } from './fixture-db'
import { addPerson } from './people'
import { collect, start } from './run-site'

type Wishes = Partial<Parameters<typeof saveCheck>[1]>

export const call = (name: string, args: object = {}) => `[[call ${name} ${JSON.stringify(args)}]]`
export const write = (text: string) => call('append_line', { text })
export const scripted = (...turns: string[]) =>
  [`${randomUUID()} ${turns[0]}`, ...turns.slice(1), '[[say: ok]]'].join(' [[then]] ')
export const newName = () => `check ${randomUUID()}`

export function engine(): Engine {
  const running = runningEngine()
  if (!running) throw new Error('No engine runs.')
  return running
}

export async function untilEnded(ctx: Ctx, checkRunId: string) {
  const ended = async () => (await readCheckRun(ctx, { id: checkRunId })).endedAt
  await expect.poll(ended, { timeout: 15_000 }).not.toBeNull()
  return readCheckRun(ctx, { id: checkRunId })
}

/** Opens a site with an engine before the tests of a file, and returns what saves and runs checks on it. */
export function checkSiteOfFile() {
  const site: ApprovalSite = approvalSiteOfFile()
  const configurationId = async () => {
    const where = { identifier: site.configuration }
    return (await db().configuration.findFirstOrThrow({ where })).id
  }
  return {
    site,
    configurationId,
    /** Runs a prompt to its end and saves the run as a check. */
    save: async (prompt: string, wishes: Wishes = {}, ctx = site.admin) => {
      const { runId } = await start({ ...site, admin: ctx }, prompt)
      await collect(ctx, runId)
      return saveCheck(ctx, { runId, name: newName(), ...wishes })
    },
    run: async (id: string, mode: CheckMode = 'recorded', ctx = site.admin) => {
      const { checkRunId } = await runCheck(ctx, { id, mode })
      return untilEnded(ctx, checkRunId)
    },
    /** Adds a member with a group that has the configuration. */
    addMember: async (): Promise<Ctx & { groupId: string }> => {
      const member = await addPerson('member')
      const members = { create: { userId: member.actor.userId } }
      const configurations = { create: { configurationId: await configurationId() } }
      const data = { name: randomUUID(), members, configurations }
      return { ...member, groupId: (await db().group.create({ data })).id }
    },
  }
}

/** Stores a run of checks that no process begins before `advanceUnbegun`. */
export async function addUnbegun(
  ctx: Ctx,
  checkId: string,
  { tries = 1, isOpen = false, apiKeyId = null as string | null } = {},
): Promise<string> {
  const check = await db().check.findUniqueOrThrow({ where: { id: checkId } })
  const { accessEpoch } = await db().user.findUniqueOrThrow({ where: { id: ctx.actor.userId } })
  const [policy] = await db().$queryRaw<{ freezes: number }[]>`SELECT freezes FROM policy_version`
  const results = Array.from({ length: tries }, (_, place) => ({
    id: randomUUID(),
    place,
    checkId,
    checkVersion: check.version,
    checkName: check.name,
    configurationId: check.configurationId ?? '',
    configurationName: check.configurationName,
    try: place + 1,
    passes: tries,
    assertions: check.assertions,
  }))
  const { id } = await db().checkRun.create({
    data: {
      id: randomUUID(),
      name: check.name,
      userId: ctx.actor.userId,
      apiKeyId,
      accessEpoch,
      freezes: policy?.freezes ?? 0,
      mode: 'recorded',
      endedAt: isOpen ? null : new Date(),
      results: { create: results },
    },
  })
  return id
}

export async function advanceUnbegun(id: string): Promise<void> {
  await db().checkRun.update({ where: { id }, data: { endedAt: null } })
  await advanceCheckRun(engine(), id)
}

export async function addKey(ctx: Ctx): Promise<string> {
  return (await createApiKey(ctx, { name: 'test', scopes: ['runs:read'] })).id
}
