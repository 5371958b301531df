'use client'
import { resourceForm } from '@/app/(console)/(admin)/resource-form'
import { VisibleText } from '@/components/trace/visible-text'
import { type GroupDetail, groups } from '@/lib/domains/groups/shape'
import { countOf } from '@/lib/words/format'
import { addGroup, removeGroup } from './actions'

const form = resourceForm(groups, {
  add: addGroup,
  remove: removeGroup,
  description: 'Its members may use its configurations.',
  removal: null,
  opensPage: true,
})
/** Adds a group and opens its page, where members and configurations are added. */
export const NewGroupButton = form.NewButton
export const GroupActions = form.Actions

/** Says what the members lose with the group. */
export function Losses({ group: { people, opens } }: { group: GroupDetail }) {
  if (people.length === 0) return <p>It has no members.</p>
  if (opens.length === 0) {
    return <p>It gives access to no configuration.</p>
  }
  return (
    <>
      <p>
        {countOf(people.length, 'member')} lose these configurations, unless another group allows
        them:
      </p>
      <ul className="mt-1 max-h-40 list-disc overflow-y-auto pl-5 text-strong">
        {opens.map(({ id, name }) => (
          <li key={id} className="[overflow-wrap:anywhere]">
            <VisibleText text={name} />
          </li>
        ))}
      </ul>
    </>
  )
}
