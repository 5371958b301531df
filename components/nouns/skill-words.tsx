import type { SkillListing, SkillState } from '@toolgate/server/domains/skills/schemas'
import type {
  ConfigurationSkills,
  SkillGrant,
} from '@toolgate/server/toolset/policy/configuration-skills'
import { Disclosure } from '@/components/trace/disclosure'
import { LongText } from '@/components/trace/long-text'
import { VisibleText } from '@/components/trace/visible-text'
import type { PillState } from '@/components/ui/state-pill'
import { isOtherName, meaningOf } from '@/lib/domains/skills/shared/skill-names'
import { visibleText } from '@/lib/words/clean-text'
import { formatTokens, listWords } from '@/lib/words/format'

export const statePills: Record<SkillState, PillState> = {
  on: 'ok',
  off: 'off',
  changed: 'waiting',
  missing: 'warning',
}

/** Returns the beginning of a checksum, long enough to tell two files apart by eye. */
export function shortChecksum(checksum: string): string {
  return checksum.slice(0, 12)
}

type HeldBackSkills = ConfigurationSkills['heldBack']

/**
 * Says in one sentence which tools skills allow together; `whose` begins it: "This skill grants". `idle`: names of
 * skills that list tools and are off. `heldBack`: names of skills whose file changed or is missing.
 */
export function GrantWords({
  whose,
  grant,
  idle = [],
  heldBack = { names: [], limits: false },
}: {
  whose: string
  grant: SkillGrant
  idle?: readonly string[]
  heldBack?: HeldBackSkills
}) {
  if (grant.granted === null && idle.length === 0) {
    return <p>{whose} all tools that the other gates allow: no allowed-tools are declared.</p>
  }
  return (
    <>
      {grant.granted === null ? (
        <p>{whose} all tools that the other gates allow.</p>
      ) : (
        <Granted whose={whose} grant={{ ...grant, granted: grant.granted }} />
      )}
      {heldBack.names.length > 0 && <HeldBack {...heldBack} />}
      {idle.length > 0 && <Idle names={idle} isLimited={grant.granted !== null} />}
    </>
  )
}

function HeldBack({ names, limits }: HeldBackSkills) {
  const one = names.length === 1
  return (
    <p className="text-warning">
      The {one ? 'file' : 'files'} of <ToolNames names={names} /> changed or{' '}
      {one ? 'is gone, so it is' : 'are gone, so they are'} not sent.{' '}
      {limits
        ? `The last ${one ? 'list' : 'lists'} of allowed tools still ${one ? 'applies' : 'apply'} until you accept the change or switch ${one ? 'the skill' : 'the skills'} off.`
        : `The allowed tools in ${one ? 'it' : 'them'} are not added until you accept the change.`}
    </p>
  )
}

function Idle({ names, isLimited }: { names: readonly string[]; isLimited: boolean }) {
  const [list, are, their] = names.length === 1 ? ['lists', 'is', 'its'] : ['list', 'are', 'their']
  return (
    <p className="text-warning">
      <ToolNames names={names} /> {list} tools{isLimited && ' too'} but {are} switched off
      {!isLimited && `, so ${their} limit does not apply`}.
    </p>
  )
}

function Granted({ whose, grant }: { whose: string; grant: SkillGrant & { granted: string[] } }) {
  return (
    <>
      <p>
        {whose} <ToolNames names={grant.granted} />
        {grant.granted.length > 0 && ', if the other gates allow them too'}.
      </p>
      <Unknown names={grant.unknown.filter((name) => !isOtherName(name))}>No tool is named</Unknown>
      <Unknown names={grant.unknown.filter(isOtherName)}>This site has no tool that means</Unknown>
    </>
  )
}

function Unknown({ names, children }: { names: readonly string[]; children: string }) {
  if (names.length === 0) return null
  const entries = names.length === 1 ? 'that entry has' : 'these entries have'
  return (
    <p className="text-warning">
      {children} <ToolNames names={names} />, so {entries} no effect.
    </p>
  )
}

/** Shows the names as code, or words for an absent or an empty list. */
export function ToolNames({ names }: { names: readonly string[] | null }) {
  if (names === null) return listWords('skillTools', null)
  if (names.length === 0)
    return <strong className="font-semibold">{listWords('skillTools', [])}</strong>
  return names.map((name, index) => (
    <span key={name}>
      {index > 0 && ', '}
      <code className="rounded-sm bg-surface-2 px-1 py-px font-mono text-mono [overflow-wrap:anywhere]">
        <VisibleText text={name} />
      </code>
      {isOtherName(name) && <Meaning name={name} />}
    </span>
  ))
}

/** Says which tool here a name of another product means. */
function Meaning({ name }: { name: string }) {
  const tool = meaningOf(name)?.tool
  return tool ? <span className="text-muted"> (here {tool})</span> : null
}

/** Says what follows when the last limit is removed, before it is. `configurations`: names, also those of tasks. */
export function LimitGone({ configurations }: { configurations: readonly string[] }) {
  const shown = 3
  const named = configurations.slice(0, shown).map(visibleText).join(', ')
  const more = configurations.length - shown
  return (
    <>
      In {more > 0 ? `${named} and ${more} more` : named}, no other active skill lists allowed
      tools, so this removes the limit: for new runs, only the other gates decide. Active runs keep
      the limit. To stop a tool, switch the tool off.
    </>
  )
}

type Preview = { note: string; text: string; tokens: number }

/** Shows exactly the text of the skills that a model is sent; nothing when there is none. */
export function SentPreview({ preview }: { preview: Preview }) {
  if (preview.text === '') return null
  return (
    <Disclosure summary={`What the model is sent (≈ ${formatTokens(preview.tokens)})`}>
      <div className="flex flex-col gap-2">
        <p className="text-muted">
          Sent before the prompt, in the first user message. The tags contain a random word that is
          different for each run, so no skill can know it. The system prompt adds: “{preview.note}”
        </p>
        <LongText text={preview.text} label="What the model is sent" />
      </div>
    </Disclosure>
  )
}

type Deletable = Pick<SkillListing, 'configurations' | 'tasks' | 'source' | 'state'>

/** Says what deleting the skill does, or why it would be refused. */
export function deletionWords({ configurations, tasks, source, state }: Deletable): string {
  const users = [
    ...configurations.map(({ name }) => name),
    ...tasks.map(({ name }) => `task ${name}`),
  ]
  if (users.length > 0) {
    const use = users.length === 1 ? 'uses' : 'use'
    return `It cannot be deleted while ${users.join(', ')} ${use} it. Remove it there first.`
  }
  if (source === 'folder' && state !== 'missing') {
    return 'It cannot be deleted while its file is in the skills folder. Remove the file and read the folder again first.'
  }
  return 'All its versions are deleted. Past runs keep the text they were sent.'
}
