'use client'
import Link from 'next/link'
import { useId } from 'react'
import { useAct } from '@/components/forms/use-act'
import { countOf } from '@/components/trace/count-of'
import { Checkbox } from '@/components/ui/checkbox'
import { Section } from '@/components/ui/section'
import type { GroupSize } from '@/lib/groups/schemas'
import { changeAudience } from '../actions'

type Props = {
  configurationId: string
  groups: GroupSize[]
  chosen: { id: string; name: string }[]
}

/** The groups whose members may start runs with it. */
export function Audience({ configurationId, groups, chosen }: Props) {
  const { busy, act } = useAct()
  const open = new Set(chosen.map(({ id }) => id))
  const change = ({ id, name }: GroupSize, allowed: boolean) =>
    act(() => changeAudience({ configurationId, groupId: id, allowed }), {
      failed: `${name} was not changed`,
      done: `${allowed ? 'Open to' : 'Closed to'} ${name}`,
    })
  return (
    <Section title="Who may use it">
      <p className="max-w-[72ch] text-muted">
        Admins may use every configuration. Members may use it when one of their groups is ticked.
        Closing it does not stop runs that are going.
      </p>
      {groups.length === 0 ? (
        <p className="text-normal">
          There is no group yet.{' '}
          <Link href="/groups" className="text-link underline underline-offset-2">
            Make one under Groups
          </Link>
        </p>
      ) : (
        <ul className="grid max-w-3xl gap-x-6 sm:grid-cols-2">
          {groups.map((group) => (
            <li key={group.id}>
              <Choice
                group={group}
                checked={open.has(group.id)}
                disabled={busy}
                onChange={(allowed) => change(group, allowed)}
              />
            </li>
          ))}
        </ul>
      )}
    </Section>
  )
}

function Choice({
  group,
  checked,
  disabled,
  onChange,
}: {
  group: GroupSize
  checked: boolean
  disabled: boolean
  onChange: (allowed: boolean) => void
}) {
  const id = useId()
  return (
    <div className="flex min-h-8 items-center gap-2 pointer-coarse:min-h-11">
      <Checkbox id={id} checked={checked} disabled={disabled} onCheckedChange={onChange} />
      <label htmlFor={id} className="min-w-0 [overflow-wrap:anywhere]">
        <span className="text-strong">{group.name}</span>{' '}
        <span className="text-muted text-sm">{countOf(group.members, 'member')}</span>
      </label>
    </div>
  )
}
