import 'server-only'
import { providerOf } from '@/lib/domains/rows/column-names'
import { AllowedTools } from '@/lib/domains/skills/schemas'
import { isGranted } from '@/lib/domains/skills/shared/skill-names'
import { decideTool } from '@/lib/engines/runtime/policy/decide-tool'
import {
  grantedBySkills,
  type Subject,
  type SubjectConfiguration,
  withoutTemporary,
} from '@/lib/engines/runtime/policy/subject'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { leastTrusted } from '@/lib/protocol/model/model-target'
import { DataClass, type ToolMeta } from '@/lib/protocol/tool'
import { AllowedNames, toolAccess } from '@/lib/protocol/tool-access'
import { loadSubject } from '@/lib/toolset/policy/load-subject'
import { toolsByName } from './installed-tools'

type Named = { id: string; name: string }

/** A skill that is attached and on, as it is stored. */
type Attached = {
  skill: Named & {
    version: number
    orphanedAt: Date | null
    pendingVersion: number | null
    versions: readonly { version: number; allowedTools: unknown }[]
  }
}

/** Configurations whose runs may use a tool while it is on, and the skills that list it. */
export type ToolReach = {
  configurations: Named[]
  tasks: Named[]
  schedules: Named[]
  skills: Named[]
}

const skillsOf = {
  where: { enabled: true, skill: { enabled: true } },
  select: {
    skill: {
      select: {
        id: true,
        name: true,
        version: true,
        orphanedAt: true,
        pendingVersion: true,
        versions: { select: { version: true, allowedTools: true } },
      },
    },
  },
} as const

/**
 * Returns what a switch of a tool concerns: the configurations, tasks and schedules in use whose runs of an admin may use it
 * while it and its group are on, and the skills in use that list it. Reads all at once. Admins only.
 */
export async function readToolReach(ctx: Ctx, name: string): Promise<ToolReach> {
  requireRole(ctx, 'admin')
  const client = db()
  const connected = { include: { connection: true } }
  const [tools, subject, configurations] = await Promise.all([
    toolsByName(client),
    loadSubject(client, {
      userId: ctx.actor.userId,
      apiKeyId: null,
      snapshot: null,
      selected: null,
    }),
    client.configuration.findMany({
      where: { enabled: true },
      include: {
        model: connected,
        fallbacks: { select: { model: connected } },
        skills: skillsOf,
        tasks: { where: { enabled: true }, select: { id: true, name: true, skills: skillsOf } },
        schedules: { where: { enabled: true }, select: { id: true, name: true } },
      },
      orderBy: { name: 'asc' },
    }),
  ])
  const tool = tools.get(name)
  const reach: ToolReach = { configurations: [], tasks: [], schedules: [], skills: [] }
  if (!tool) return reach
  const whileOn = switchedOn(tool, subject)
  const listing = new Map<string, Named>()
  for (const { model, fallbacks, skills, tasks, schedules, ...row } of configurations) {
    const allowed = toolAccess(AllowedNames.parse(row))
    const facts = {
      id: row.id,
      name: row.name,
      task: null,
      closed: null,
      limitingSkills: [],
      // A run that begins has read nothing.
      afterUntrusted: 'allow' as const,
      allowed,
      allowedThen: allowed,
      leastTrusted: leastTrusted([
        providerOf(model.connection),
        ...fallbacks.map((each) => providerOf(each.model.connection)),
      ]),
      raisedDataClass: row.raisedDataClass === null ? null : DataClass.parse(row.raisedDataClass),
    }
    const mayUse = (attached: readonly Attached[]) => {
      for (const { skill } of attached) {
        if (isGranted(listOf(skill) ?? [], name))
          listing.set(skill.id, { id: skill.id, name: skill.name })
      }
      return reaches(tool, whileOn, { ...facts, grantedBySkills: granted(attached) })
    }
    if (mayUse(skills)) {
      reach.configurations.push({ id: row.id, name: row.name })
      reach.schedules.push(...schedules)
    }
    for (const task of tasks) {
      if (mayUse([...skills, ...task.skills])) reach.tasks.push({ id: task.id, name: task.name })
    }
  }
  return { ...reach, skills: [...listing.values()] }
}

function listOf({ version, versions }: Attached['skill']): string[] | null {
  const current = versions.find((each) => each.version === version)
  return AllowedTools.parse(current?.allowedTools ?? null)
}

function granted(attached: readonly Attached[]): ReadonlySet<string> | null {
  return grantedBySkills(
    attached.map(({ skill }) => ({
      allowedTools: listOf(skill),
      heldBack: skill.orphanedAt !== null || skill.pendingVersion !== null,
    })),
  )
}

/**
 * Returns the subject of a moment at which nothing but the tool's own state has changed: its switches are on, the site has what it
 * needs, and a server's tool is accepted.
 */
function switchedOn({ name, needs, server, pin }: ToolMeta, subject: Subject): Subject {
  const on = { enabled: true, reason: '', changedBy: '', changedAt: 0 }
  return {
    ...withoutTemporary(subject),
    groupsOff: new Map(),
    overrides: new Map([[name, on]]),
    ...(needs && { present: new Set([...subject.present, needs]) }),
    ...(server !== undefined && {
      remote: new Map([[name, { pin: pin ?? '', held: null, isGone: false, isServerOn: true }]]),
    }),
  }
}

function reaches(tool: ToolMeta, subject: Subject, configuration: SubjectConfiguration): boolean {
  return decideTool(tool, { ...subject, configuration }).allowed
}
