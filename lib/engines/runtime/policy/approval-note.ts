import { partialGrants } from '@/lib/domains/skills/shared/skill-names'
import { type ApprovalRule, asksPeople } from '@/lib/protocol/approval'
import { afterUntrustedWords } from '@/lib/protocol/flow'
import {
  asksByItself,
  asksForApproval,
  type RuleQuestion,
  type RuleTool,
  ruleConcerns,
  skillWords,
} from './rules'

/** Source of a sentence in a note: one rule or several, the setting of the tool, or the configuration. */
export type NoteCause =
  | { type: 'rule'; id: string }
  | { type: 'rules' }
  | { type: 'tool' }
  | { type: 'configuration'; id: string }

/** `always` = every call waits; otherwise it depends on the arguments or the run. `sentences` are for people. */
export type ApprovalNote = {
  always: boolean
  sentences: { words: string; cause: NoteCause }[]
}
type Sentence = ApprovalNote['sentences'][number]

/** Returns the sentences of a note as one text; "" when there is none. */
export function noteWords(note: ApprovalNote | null): string {
  return (note?.sentences ?? []).map(({ words }) => words).join(' ')
}

/**
 * Returns what is known before a call about whether a person will be asked about it or a rule refuse it (SPEC G-A, G-D,
 * G-W); null when nothing is about this tool. A rule that asks about all calls leaves nothing to say about others that ask.
 */
export function approvalNote(tool: RuleTool, question: RuleQuestion): ApprovalNote | null {
  const about = question.approvalRules.filter((rule) => ruleConcerns(rule, tool, question))
  const refusing = about.filter(({ action }) => action === 'deny')
  const asking = about.filter(({ action }) => asksPeople(action))
  const aboutAll = asking.filter(({ conditions }) => conditions.length === 0)
  const always = aboutAll.filter(({ action }) => action === 'ask')
  const byArguments = asking.filter(({ conditions }) => conditions.length > 0)
  const waits = toolNote(tool, question)
  const asks =
    always.length > 0 || waits.length > 0
      ? [...rulesNote(always.slice(0, 1), 'Each call waits for approval because of'), ...waits]
      : [
          ...rulesNote(aboutAll, 'Until one call of a run is approved, each waits because of'),
          ...rulesNote(byArguments, 'A call waits for approval if its arguments match'),
        ]
  const sentences = [
    ...rulesNote(refusing, 'A call is refused if its arguments match'),
    ...skillNote(tool, question),
    ...asks,
    ...rulesNote(
      asking.filter(({ fourEyes }) => fourEyes),
      'Whoever starts the run may not decide about calls that match',
    ),
    ...flowNote(tool, question, waits.length > 0 || always.length > 0),
  ]
  if (sentences.length === 0) return null
  return { always: always.length > 0 || waits.length > 0, sentences }
}

/** Returns what the configuration says about calls that write after the run read what others can write. */
function flowNote(
  { effect }: RuleTool,
  { configuration }: RuleQuestion,
  waits: boolean,
): Sentence[] {
  if (effect === 'read' || configuration === null) return []
  const { id, afterUntrusted: after, memoryInPrompt = false } = configuration
  if (after === 'allow' || (after === 'ask' && waits)) return []
  const notes = memoryInPrompt ? ', such as the notes in the prompt' : ''
  const words = `After the run has read what others can write${notes}, its calls ${afterUntrustedWords[after]}.`
  return [{ words, cause: { type: 'configuration', id } }]
}

/** Returns which of its calls the skills allow, where they do not allow all. */
function skillNote({ name }: RuleTool, { configuration }: RuleQuestion): Sentence[] {
  const granted = configuration && partialGrants(configuration.grantedBySkills ?? null, name)
  if (!granted) return []
  const cause = { type: 'configuration', id: configuration.id } as const
  return [{ words: `${skillWords(granted)}.`, cause }]
}

function toolNote(tool: RuleTool, question: RuleQuestion): Sentence[] {
  if (!asksForApproval(tool, question)) return []
  const why = asksByItself(tool) ? 'because it writes' : 'because an admin wants that'
  const words = `Calls of this tool wait for approval ${why}. An admin can change that for the tool.`
  return [{ words, cause: { type: 'tool' } }]
}

function rulesNote([first, ...others]: readonly ApprovalRule[], words: string): Sentence[] {
  if (!first) return []
  const more = others.length > 0 ? `, or ${others.length} more` : ''
  return [
    {
      words: `${words} the rule "${first.name}"${more}.`,
      cause: more === '' ? { type: 'rule', id: first.id } : { type: 'rules' },
    },
  ]
}
