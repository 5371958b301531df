'use client'
import type { GroupSize } from '@toolgate/server/domains/groups/reads'
import Link from 'next/link'
import { useId, useState } from 'react'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { useAct } from '@/components/forms/use-act'
import { Checkbox } from '@/components/ui/checkbox'
import { Section } from '@/components/ui/section'
import { countOf } from '@/lib/words/format'
import { changeAudience } from '../actions'

type Props = {
  configurationId: string
  groups: GroupSize[]
  chosen: { id: string; name: string }[]
}

/** Shows the groups whose members may start runs with the configuration. */
export function Audience({ configurationId, groups, chosen }: Props) {
  const { busy, act } = useAct()
  const [closing, setClosing] = useState<GroupSize | null>(null)
  const allowed = new Set(chosen.map(({ id }) => id))
  const set = ({ id: groupId }: GroupSize, isAllowed: boolean, reason = '') =>
    changeAudience({ configurationId, groupId, allowed: isAllowed, reason })
  const open = (group: GroupSize) =>
    act(() => set(group, true), {
      done: `Allowed ${group.name}`,
      undo: () => set(group, false),
      about: group.id,
    })
  return (
    <Section id="audience" title="Who may use it">
      <p className="max-w-[72ch] text-muted">Admins, and members of these groups.</p>
      {groups.length === 0 ? (
        <p className="text-normal">
          No groups yet.{' '}
          <Link href="/groups" className="text-link underline underline-offset-2">
            Add group
          </Link>
        </p>
      ) : (
        <ul className="grid max-w-3xl gap-x-6 sm:grid-cols-2">
          {groups.map((group) => (
            <li key={group.id}>
              <Choice
                group={group}
                checked={allowed.has(group.id)}
                busy={busy}
                onChange={(isAllowed) => (isAllowed ? open(group) : setClosing(group))}
              />
            </li>
          ))}
        </ul>
      )}
      {closing && (
        <ActWithReason
          title={`Remove access for ${closing.name}`}
          done={`Removed access for ${closing.name}`}
          send={(reason) => set(closing, false, reason)}
          undo={() => set(closing, true)}
          about={closing.id}
          onClose={() => setClosing(null)}
        >
          Active runs of its members end, unless another of their groups may use it.
        </ActWithReason>
      )}
    </Section>
  )
}

function Choice({
  group,
  checked,
  busy,
  onChange,
}: {
  group: GroupSize
  checked: boolean
  busy: boolean
  onChange: (allowed: boolean) => void
}) {
  const id = useId()
  return (
    <div className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
      <Checkbox id={id} checked={checked} busy={busy} onCheckedChange={onChange} />
      <label htmlFor={id} className="min-w-0 [overflow-wrap:anywhere]">
        <span className="text-strong">{group.name}</span>{' '}
        <span className="text-muted text-sm">{countOf(group.members, 'member')}</span>
      </label>
    </div>
  )
}
