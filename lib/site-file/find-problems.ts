import { db } from '../db'
import { installedTools } from '../toolset/installed-tools'
import type { SiteFile, SiteState } from './site-file'

/** What a file refers to and neither it nor this installation has, a sentence each. */
export async function findProblems(file: SiteFile, state: SiteState): Promise<string[]> {
  const [groups, tools, skills] = await Promise.all([
    db().group.findMany({ select: { name: true } }),
    installedTools(),
    db().skill.findMany({ select: { name: true } }),
  ])
  const has = {
    connection: namesOf(
      state.connections.keys(),
      file.connections.map(({ name }) => name),
    ),
    model: namesOf(
      state.models.keys(),
      file.models.map(({ connection, model }) => modelKey({ connection, model })),
    ),
    skill: namesOf(
      skills.map(({ name }) => name),
      file.skills.map(({ name }) => name),
    ),
    configuration: namesOf(
      state.configurations.keys(),
      file.configurations.map(({ identifier }) => identifier),
    ),
    group: namesOf(groups.map(({ name }) => name)),
    tool: namesOf(tools.map(({ name }) => name)),
    'tool group': namesOf(tools.map(({ group }) => group)),
  }
  const problems = new Set<string>()
  const need = (what: keyof typeof has, name: string, who: string) => {
    if (!has[what].has(name)) problems.add(`${who} needs the ${what} ${name}, which is not here.`)
  }
  for (const { connection, model } of file.models) {
    need('connection', connection, `The model ${model}`)
  }
  for (const {
    identifier,
    model,
    fallbacks = [],
    groups: names = [],
    skills: used = [],
  } of file.configurations) {
    const who = `The configuration ${identifier}`
    for (const each of [...(model ? [model] : []), ...fallbacks]) need('model', modelKey(each), who)
    for (const name of names) need('group', name, who)
    for (const { name } of used) need('skill', name, who)
  }
  for (const { identifier, configuration, skills: used = [] } of file.tasks) {
    const who = `The task ${identifier}`
    if (configuration) need('configuration', configuration, who)
    for (const { name } of used) need('skill', name, who)
  }
  for (const { name } of file.tools) need('tool', name, 'The switch')
  for (const { name } of file.toolGroups) need('tool group', name, 'The switch')
  return [...problems]
}

function namesOf(...lists: Iterable<string>[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => [...list]))
}

function modelKey({ connection, model }: { connection: string; model: string }): string {
  return `${connection} / ${model}`
}
