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
    return <p>{whose} all tools that the gates allow. No tool list.</p>
  }
  return (
    <>
      {grant.granted === null ? (
        <p>{whose} all tools that the gates allow.</p>
      ) : (
        <Granted whose={whose} grant={{ ...grant, granted: grant.granted }} />
      )}
      {heldBack.names.length > 0 && <HeldBack {...heldBack} />}
      {idle.length > 0 && <Idle names={idle} isLimited={grant.granted !== null} />}
    </>
  )
}

function HeldBack({ names, limits }: HeldBackSkills) {
  return (
    <p className="text-warning">
      Changed or gone, so not sent: <ToolNames names={names} />.{' '}
      {limits
        ? 'Their tool limits apply until you accept the change.'
        : 'Their tools are added when you accept the change.'}
    </p>
  )
}

function Idle({ names, isLimited }: { names: readonly string[]; isLimited: boolean }) {
  return (
    <p className="text-warning">
      {isLimited ? 'Switched off, not counted' : 'Switched off, so its limit does not apply'}:{' '}
      <ToolNames names={names} />.
    </p>
  )
}

function Granted({ whose, grant }: { whose: string; grant: SkillGrant & { granted: string[] } }) {
  return (
    <>
      <p>
        {whose} <ToolNames names={grant.granted} />
        {grant.granted.length > 0 && ', if the gates allow them'}.
      </p>
      <Unknown names={grant.unknown} />
    </>
  )
}

function Unknown({ names }: { names: readonly string[] }) {
  if (names.length === 0) return null
  return (
    <p className="text-warning">
      No such tool: <ToolNames names={names} />.
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
      No other skill limits the tools of {more > 0 ? `${named} and ${more} more` : named}, so this
      removes the limit for new runs. Active runs keep it.
    </>
  )
}

type Preview = { note: string; text: string; tokens: number }

/** Shows exactly the text of the skills that a model is sent; nothing when there is none. */
export function SentPreview({ preview }: { preview: Preview }) {
  if (preview.text === '') return null
  return (
    <Disclosure summary={`Sent to the model (≈ ${formatTokens(preview.tokens)})`}>
      <div className="flex flex-col gap-2">
        <p className="text-muted">
          Before the prompt; the tags have a random word. The system prompt adds: “{preview.note}”
        </p>
        <LongText text={preview.text} label="Sent to the model" />
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
    return `In use by ${users.join(', ')}. Remove it there first.`
  }
  if (source === 'folder' && state !== 'missing') {
    return 'Remove its file from the skills folder and read it again first.'
  }
  return 'All its versions are deleted; past runs keep theirs.'
}
