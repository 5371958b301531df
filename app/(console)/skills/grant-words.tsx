import { VisibleText } from '@/components/trace/visible-text'
import { listWords } from '@/lib/protocol/list-words'
import type { ConfigurationSkills, SkillGrant } from '@/lib/toolset/configuration-skills'

type HeldBackSkills = ConfigurationSkills['heldBack']

/**
 * What skills together say about tools, as one sentence; `whose` begins it: "This skill grants". `idle` are names of
 * skills that list tools and are switched off, `heldBack` of those whose file changed or is gone.
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
      {grant.unknown.length > 0 && (
        <p className="text-warning">
          No tool is named <ToolNames names={grant.unknown} />, so that entry has no effect.
        </p>
      )}
    </>
  )
}

/** Names as code, or the words for an absent or an empty list. */
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
    </span>
  ))
}
