import { acceptSkillChange } from '@/lib/domains/skills/accept-skill-change'
import { deleteSkill } from '@/lib/domains/skills/delete-skill'
import { findSkill } from '@/lib/domains/skills/find-skill'
import { type ImportResult, importSkills } from '@/lib/domains/skills/import-skills'
import { limitsGone } from '@/lib/domains/skills/limits-gone'
import { listSkills } from '@/lib/domains/skills/list-skills'
import { readSkill } from '@/lib/domains/skills/read-skill'
import { readSkillFiles } from '@/lib/domains/skills/read-skill-files'
import { reloadSkillFolder } from '@/lib/domains/skills/reload-skill-folder'
import { restoreSkillVersion } from '@/lib/domains/skills/restore-skill-version'
import type { SkillState } from '@/lib/domains/skills/schemas'
import { setSkillEnabled } from '@/lib/domains/skills/set-skill-enabled'
import { ConflictError } from '@/lib/kernel/errors'
import { visibleText } from '@/lib/protocol/clean-text'
import { countOf, listWords } from '@/lib/protocol/format'
import { actingCtx } from './acting-ctx'
import type { CommonOptions } from './common-options'
import { printJson, printLine, printTable } from './print'
import { printDiff } from './print-diff'
import { printLimitsGone } from './print-limits-gone'
import { readFileOrInput } from './read-file-or-input'

export type AddSkillOptions = CommonOptions & { replace?: boolean }

const maxBytes = 5 * 1024 * 1024

const stateWords: Record<SkillState, string> = {
  on: 'on',
  off: 'off',
  changed: 'changed on disk',
  missing: 'file missing',
}

export async function printSkills(options: CommonOptions): Promise<void> {
  const skills = await listSkills(await actingCtx(options.as))
  if (options.json) return printJson(skills)
  printTable(
    ['NAME', 'STATE', 'SOURCE', 'VERSION', 'BYTES', 'ALLOWED TOOLS', 'USED BY'],
    skills.map((skill) => [
      skill.name,
      stateWords[skill.state],
      skill.source,
      String(skill.version),
      String(skill.bytes),
      listWords('skillTools', skill.allowedTools),
      [...skill.configurations, ...skill.tasks].map(({ identifier }) => identifier).join(', ') ||
        'nothing',
    ]),
  )
}

export async function printSkill(name: string, options: CommonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const skill = await readSkill(ctx, (await findSkill(ctx, name)).id)
  if (options.json) return printJson(skill)
  printLine(`${skill.name}, version ${skill.version}, ${stateWords[skill.state]}`)
  printLine(`Allowed tools: ${listWords('skillTools', skill.allowedTools)}`)
  for (const { version, checksum, createdAt, createdByLabel } of skill.history) {
    printLine(
      `  ${version}  ${createdAt}  ${checksum.slice(0, 12)}  ${visibleText(createdByLabel)}`,
    )
  }
  const [accepted, pending] = [skill.version, skill.pendingVersion].map((wanted) =>
    skill.history.find(({ version }) => version === wanted),
  )
  if (!accepted) return
  if (pending) return printDiff(accepted.file, pending.file)
  for (const line of accepted.file.split('\n')) printLine(visibleText(line))
}

export async function addSkills(file: string, options: AddSkillOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const files = await readSkillFiles(await readFileOrInput(file, maxBytes))
  const request = { source: file === '-' ? ('paste' as const) : ('upload' as const), files }
  const first = await importSkills(ctx, { ...request, confirmed: null })
  if (first.type === 'done') return printImport(first, options)
  if (!options.replace) {
    for (const { diff } of options.json ? [] : first.changes) printDiff(diff)
    const names = first.changes.map(({ name }) => name).join(', ')
    throw new ConflictError(
      `These skills exist with other content: ${names}. Add --replace to change them.`,
    )
  }
  const result = await importSkills(ctx, { ...request, confirmed: first.fingerprint })
  if (result.type === 'done') printImport(result, options)
}

function printImport(
  result: Extract<ImportResult, { type: 'done' }>,
  { json }: CommonOptions,
): void {
  const { added, changed, unchanged } = result
  if (json) {
    printJson({ added, changed, unchanged })
    return
  }
  for (const { name } of added) printLine(`Added ${name}.`)
  for (const { name, version } of changed) printLine(`${name} is now version ${version}.`)
  for (const { name } of unchanged) printLine(`${name} did not change.`)
}

export async function reloadFolder(options: CommonOptions): Promise<void> {
  const report = await reloadSkillFolder(await actingCtx(options.as))
  if (options.json) return printJson(report)
  for (const name of report.added) printLine(`Added ${name}.`)
  for (const name of report.changed)
    printLine(`The file of ${name} changed. The skill is not used until you accept the change.`)
  for (const name of report.missing) printLine(`The file of ${name} is missing.`)
  for (const name of report.returned) printLine(`The file of ${name} has the accepted text again.`)
  for (const { path, problem } of report.problems) printLine(visibleText(`${path}: ${problem}`))
  printLine(`${countOf(report.unchanged.length, 'skill')} did not change.`)
}

export async function acceptChange(name: string, options: CommonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const { id, history, pendingVersion } = await readSkill(ctx, (await findSkill(ctx, name)).id)
  const pending = history.find(({ version }) => version === pendingVersion)
  const { version } = await acceptSkillChange(ctx, id, pending?.checksum ?? '')
  if (options.json) return printJson({ id, version })
  printLine(`The skill is now version ${version}.`)
}

export async function switchSkill(
  name: string,
  enabled: boolean,
  options: CommonOptions,
): Promise<void> {
  const ctx = await actingCtx(options.as)
  const skill = await findSkill(ctx, name)
  const gone = await limitsGone(ctx, skill.id, () => setSkillEnabled(ctx, skill.id, enabled))
  if (options.json) return printJson({ ...skill, enabled, ...gone })
  printLine(`${skill.name} is ${gone.changed ? 'now' : 'already'} ${enabled ? 'on' : 'off'}.`)
  printLimitsGone(gone)
}

export async function removeSkill(name: string, options: CommonOptions): Promise<void> {
  const ctx = await actingCtx(options.as)
  const skill = await findSkill(ctx, name)
  await deleteSkill(ctx, skill.id)
  if (options.json) return printJson({ ...skill, deleted: true })
  printLine(`Deleted the skill ${skill.name}.`)
}

export async function restoreVersion(
  name: string,
  version: number,
  options: CommonOptions,
): Promise<void> {
  const ctx = await actingCtx(options.as)
  const skill = await findSkill(ctx, name)
  const gone = await limitsGone(ctx, skill.id, async () => {
    await restoreSkillVersion(ctx, skill.id, version)
    return true
  })
  const { version: now } = await readSkill(ctx, skill.id)
  if (options.json) {
    return printJson({ ...skill, restored: version, version: now, limitGone: gone.limitGone })
  }
  printLine(`Restored version ${version} of ${skill.name} as version ${now}.`)
  printLimitsGone(gone)
}
