import type { Command } from 'commander'
import type { ImportResult, SkillEffect } from '@/lib/domains/skills/bring-skills'
import type { SkillDetail, SkillListing, SkillState } from '@/lib/domains/skills/schemas'
import {
  type DroppedFiles,
  droppedWords,
  skillEffectWords,
  skillStateWords,
  skillWarnings,
} from '@/lib/domains/skills/shape'
import { type CommonOptions, wholeNumber } from '@/lib/doors/cli/input/common-options'
import type { Ctx } from '@/lib/kernel/context'
import { ConflictError } from '@/lib/kernel/errors'
import { visibleText } from '@/lib/words/clean-text'
import { countOf, listWords } from '@/lib/words/format'
import { command } from '../command'
import { exitCodes } from '../exit-codes'
import { printLine, printTable } from '../print'
import { terminal } from '../terminal'
import { addAttachmentCommands, orSayYes, printLimitsGone } from './skill-attachment'

const maxBytes = 20 * 1024 * 1024

const example = `
A skill is a SKILL.md file: front matter with name, description and allowed-tools, then the text. - reads standard input.
  toolgate skill add read-logs/SKILL.md
  toolgate skill attach read-logs --configuration mini`

const reads = () => import('@/lib/domains/skills/reads')
const verbs = () => import('@/lib/domains/skills/verbs')
const checkedVerbs = () => import('@/lib/joined-verbs')

const named = { '<name>': 'name or id of the skill' }

export function addSkillCommands(program: Command): void {
  const skill = program
    .command('skill')
    .description('instructions that configurations send with their prompts')
    .addHelpText('after', example)
  command(skill, 'list', {
    description: 'list the skills with their state',
    work: async ({ ctx }) => {
      const skills = await (await reads()).listSkills(ctx, {})
      return { json: skills, text: () => printSkills(skills) }
    },
  })
  command(skill, 'show', {
    description: 'show a skill with its text and its versions',
    args: named,
    work: async ({ ctx, args: [id = ''] }) => {
      const { printDiff } = await import('../print-diff')
      const detail = await (await reads()).readSkill(ctx, { id })
      return { json: detail, text: () => printSkill(detail, printDiff) }
    },
  })
  command<AddOptions>(skill, 'add', {
    description: 'add skills; changes to existing ones are shown first',
    args: { '<file>': 'a SKILL.md or a zip archive of them; - reads standard input' },
    options: (made) =>
      made
        .option('--replace', 'also write new versions of existing skills')
        .option('--yes', 'also add a skill that leaves runs without any tool'),
    work: async ({ ctx, args: [file = ''], options, isJson: json }) => {
      const { added, changed, unchanged, effects, dropped } = await addSkills(ctx, file, {
        ...options,
        json,
      })
      return {
        json: { added, changed, unchanged, effects, dropped },
        text: () => {
          for (const { name } of added) printLine(`Added ${name}.`)
          for (const { name, version } of changed) printLine(`${name} is now version ${version}.`)
          for (const { name } of unchanged) printLine(`${name} did not change.`)
          for (const line of effects.flatMap(effectLines)) printLine(line)
          for (const line of droppedWords(dropped)) printLine(visibleText(line))
        },
      }
    },
  })
  command(skill, 'reload', {
    description: 'read the skills folder (TOOLGATE_SKILLS_DIR) again',
    work: async ({ ctx }) => {
      const { reloadSkillFolder } = await import('@/lib/domains/skills/folder-verbs')
      const report = await reloadSkillFolder(ctx, {})
      const text = () => {
        for (const name of report.added) printLine(`Added ${name}.`)
        for (const name of report.changed) {
          printLine(
            `The file of ${name} changed. The skill is not used until you accept the change.`,
          )
        }
        for (const name of report.missing) printLine(`The file of ${name} is missing.`)
        for (const name of report.returned) {
          printLine(`The file of ${name} has the accepted text again.`)
        }
        printLine(`${countOf(report.unchanged.length, 'skill')} did not change.`)
        for (const words of report.warnings) printLine(visibleText(words))
        for (const { path, problem } of report.problems) {
          terminal().writeError(`${visibleText(`${path}: ${problem}`)}\n`)
        }
      }
      const exitCode = report.problems.length > 0 ? exitCodes.failed : exitCodes.ok
      return { json: report, text, exitCode }
    },
  })
  addChangeCommands(skill)
  addAttachmentCommands(skill)
}

type YesOption = { yes?: boolean }

const withYes = (made: Command) => made.option('--yes', 'also when it leaves runs without any tool')

function addChangeCommands(skill: Command): void {
  command<YesOption>(skill, 'accept', {
    description: 'accept the changed file that "show" prints, so that the skill is used again',
    args: named,
    confirms: 'cases',
    options: withYes,
    work: async ({ ctx, args: [name = ''], options: { yes: confirmed } }) => {
      const { id, history } = await (await reads()).readSkill(ctx, { id: name })
      // The newest text is the one that waits, or nothing does.
      const checksum = history[0]?.checksum ?? ''
      const { acceptSkill } = await checkedVerbs()
      const { version } = await orSayYes(() => acceptSkill(ctx, { id, checksum, confirmed }))
      return { json: { id, version }, text: `The skill is now version ${version}.` }
    },
  })
  for (const [name, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    const state = enabled ? 'on' : 'off'
    command<YesOption>(skill, name, {
      description: `switch a skill ${state} for all configurations and tasks`,
      args: named,
      confirms: 'cases',
      options: (made) => (enabled ? withYes(made) : made),
      work: async ({ ctx, args: [id = ''], options: { yes: confirmed } }) => {
        const { turnSkill } = await checkedVerbs()
        const change = await orSayYes(() => turnSkill(ctx, { id, enabled, confirmed }))
        const text = () => {
          printLine(`${change.name} is ${change.changed ? 'now' : 'already'} ${state}.`)
          printLimitsGone(change)
        }
        return { json: change, text }
      },
    })
  }
  command<YesOption>(skill, 'restore', {
    description: 'restore an old version as a new version',
    args: named,
    confirms: 'cases',
    options: (made) =>
      withYes(made).argument('<version>', 'a version that "show" lists', wholeNumber(1, 1_000_000)),
    work: async ({ ctx, args: [id = '', version], options: { yes: confirmed } }) => {
      const { restoreSkill } = await checkedVerbs()
      const input = { id, version: Number(version), confirmed }
      const done = await orSayYes(() => restoreSkill(ctx, input))
      const text = () => {
        printLine(`Restored version ${done.restored} of ${done.name} as version ${done.version}.`)
        printLimitsGone(done)
      }
      return { json: done, text }
    },
  })
  command(skill, 'delete', {
    alias: 'remove',
    description: 'delete an unused skill and its versions',
    args: named,
    confirms: 'cases',
    work: async ({ ctx, args: [id = ''] }) => {
      const deleted = await (await verbs()).deleteSkill(ctx, { id })
      return { json: { ...deleted, deleted: true }, text: `Deleted the skill ${deleted.name}.` }
    },
  })
}

/** Returns the state of a skill in the words of the pages, for the middle of a line. */
const stateOf = ({ state }: { state: SkillState }) => skillStateWords[state].toLowerCase()

function printSkills(skills: readonly SkillListing[]): void {
  printTable(
    ['NAME', 'STATE', 'SOURCE', 'VERSION', 'BYTES', 'ALLOWED TOOLS', 'USED BY'],
    skills.map((skill) => [
      skill.name,
      stateOf(skill),
      skill.source,
      String(skill.version),
      String(skill.bytes),
      listWords('skillTools', skill.allowedTools),
      [...skill.configurations, ...skill.tasks].map(({ identifier }) => identifier).join(', ') ||
        'nothing',
    ]),
  )
}

type PrintDiff = (before: string, after: string) => void

function printSkill(skill: SkillDetail, printDiff: PrintDiff): void {
  printLine(`${skill.name}, version ${skill.version}, ${stateOf(skill)}`)
  printLine(`Allowed tools: ${listWords('skillTools', skill.allowedTools)}`)
  const current = skill.history.find(({ version }) => version === skill.version)
  for (const words of current ? skillWarnings(current) : []) printLine(visibleText(words))
  for (const { version, checksum, createdAt, createdByLabel } of skill.history) {
    printLine(
      `  ${version}  ${createdAt}  ${checksum.slice(0, 12)}  ${visibleText(createdByLabel)}`,
    )
  }
  const [accepted, pending] = [skill.version, skill.pendingVersion].map((wanted) =>
    skill.history.find(({ version }) => version === wanted),
  )
  if (accepted && pending) printDiff(accepted.file, pending.file)
  else for (const line of accepted?.file.split('\n') ?? []) printLine(visibleText(line))
}

type AddOptions = { replace?: boolean; yes?: boolean }

function effectLines({ skill, tools }: SkillEffect): string[] {
  return tools.map((each) => visibleText(skillEffectWords(skill, each)))
}

/**
 * Throws ConflictError when existing skills would change, or runs would have no tool, and nobody said that they may.
 */
async function addSkills(
  ctx: Ctx,
  file: string,
  { replace, yes, json }: AddOptions & CommonOptions,
): Promise<Extract<ImportResult, { type: 'done' }> & { dropped: DroppedFiles }> {
  const { bringSkills } = await import('@/lib/joined-verbs')
  const { readSkillUpload } = await import('@/lib/domains/skills/skill-archive')
  const { readFileOrInput } = await import('@/lib/doors/cli/input/read-input')
  const { files, dropped } = await readSkillUpload(await readFileOrInput(file, maxBytes))
  const request = { source: file === '-' ? ('paste' as const) : ('upload' as const), files }
  const first = await bringSkills(ctx, { ...request, confirmed: null })
  if (first.type === 'done') return { ...first, dropped }
  const names = first.changes.map(({ name }) => name).join(', ')
  if (!replace && first.changes.length > 0) {
    const { printDiff } = await import('../print-diff')
    for (const { diff } of json ? [] : first.changes) printDiff(diff)
    throw new ConflictError(
      `These skills exist with other content: ${names}. Add --replace to change them.`,
    )
  }
  const none = first.effects.filter((effect) => effect.none)
  if (!yes && none.length > 0) {
    throw new ConflictError(
      `${none.flatMap(effectLines).join(' ')} Add --yes if runs shall have no tools.`,
    )
  }
  const second = await bringSkills(ctx, { ...request, confirmed: first.fingerprint })
  if (second.type === 'done') return { ...second, dropped }
  throw new ConflictError('The skills changed in the meantime.')
}
