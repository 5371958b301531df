'use client'
import { X } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { ChangeTrial } from '@/app/(console)/(admin)/change-trial'
import { Choice } from '@/components/forms/choice'
import { ActWithReason } from '@/components/forms/reason-dialog'
import { useAct } from '@/components/forms/use-act'
import { VisibleText } from '@/components/trace/visible-text'
import { IconButton } from '@/components/ui/icon-button'
import { Section } from '@/components/ui/section'
import type { Role } from '@/lib/protocol/tool'
import { leavingWords } from '@/lib/shape/field-shape'
import { joinGroup, leaveGroup } from '../actions'

type Group = { id: string; name: string }

/** Shows the groups of a person, which decide which configurations a member may use. */
export function UserGroups({
  user,
  mine,
  groups,
}: {
  user: { id: string; name: string; role: Role }
  /** The names of the person's groups. */
  mine: string[]
  groups: Group[]
}) {
  const { busy, act } = useAct()
  const [leaving, setLeaving] = useState<Group | null>(null)
  const inside = groups.filter(({ name }) => mine.includes(name))
  const outside = groups.filter(({ name }) => !mine.includes(name))
  const leave = (group: Group, reason?: string) =>
    leaveGroup({ userId: user.id, groupId: group.id, reason })
  const join = ({ id: groupId }: Group) => joinGroup({ userId: user.id, groupId })
  const add = (group: Group) =>
    act(() => join(group), {
      done: `Added to ${group.name}`,
      undo: () => leave(group),
      about: group.id,
    })
  return (
    <Section title="Groups">
      {inside.length === 0 && (
        <p className="text-muted">
          {user.role === 'admin'
            ? 'No groups. Admins may use all configurations.'
            : 'No groups, so no configurations.'}
        </p>
      )}
      <ul className="flex flex-wrap gap-2">
        {inside.map((group) => (
          <li
            key={group.id}
            className="flex items-center gap-1 rounded-md border bg-surface-1 py-0.5 pr-0.5 pl-2"
          >
            <Link
              href={`/groups/${group.id}`}
              className="text-link [overflow-wrap:anywhere] hover:underline"
            >
              <VisibleText text={group.name} />
            </Link>
            <IconButton
              label={`Remove from ${group.name}`}
              size="sm"
              disabled={busy}
              onClick={() => setLeaving(group)}
            >
              <X aria-hidden />
            </IconButton>
          </li>
        ))}
      </ul>
      {outside.length > 0 && (
        <Choice
          aria-label="Add to group"
          className="max-w-64"
          placeholder="Add to group…"
          value=""
          options={outside.map(({ id, name }) => ({ value: id, label: name }))}
          onValueChange={(id) => {
            const group = outside.find((each) => each.id === id)
            if (group) add(group)
          }}
        />
      )}
      {leaving && (
        <ActWithReason
          title={`Remove ${user.name} from ${leaving.name}`}
          done={`Removed from ${leaving.name}`}
          send={(reason) => leave(leaving, reason)}
          undo={() => join(leaving)}
          about={leaving.id}
          trial={
            <ChangeTrial draft={{ people: [{ id: user.id, joins: [], leaves: [leaving.id] }] }} />
          }
          onClose={() => setLeaving(null)}
        >
          {leavingWords}
        </ActWithReason>
      )}
    </Section>
  )
}
