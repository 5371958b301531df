'use client'
import type { SkillListing } from '@toolgate/server/domains/skills/schemas'
import {
  type AttachedSkill,
  type AttachedSkillChange,
  AttachedSkillRow,
  withChange,
} from '@/components/nouns/attached-skill'
import { PickSkill } from '@/components/nouns/pick-skill'
import { forceOf } from '@/lib/domains/skills/shape'
import { countsHere } from '@/lib/domains/skills/shared/skill-force'
import type { TaskDraft } from './task-draft'

type Props = {
  skills: TaskDraft['skills']
  /** All skills of the site. */
  known: readonly SkillListing[]
  onChange: (skills: TaskDraft['skills']) => void
}

/** Shows the skills of a task in the order in which they are sent. They are saved with the rest of the form. */
export function SkillOrder({ skills, known, onChange }: Props) {
  const rows = skills.flatMap(({ id, enabled }) => {
    const skill = known.find((each) => each.id === id)
    return skill ? [toRow(skill, enabled)] : []
  })
  const apply = (change: AttachedSkillChange) =>
    onChange(
      withChange(rows, change).map(({ skillId: id, enabledHere }) => ({
        id,
        enabled: enabledHere,
      })),
    )
  const attached = new Set(skills.map(({ id }) => id))
  return (
    <div className="flex flex-col gap-3">
      {rows.length > 0 && (
        <ol className="divide-y rounded-md border bg-surface-1" aria-label="Skills">
          {rows.map((row, index) => (
            <AttachedSkillRow
              key={row.skillId}
              skill={row}
              isFirst={index === 0}
              isLast={index === rows.length - 1}
              apply={apply}
            />
          ))}
        </ol>
      )}
      <PickSkill
        choices={known.filter(({ id }) => !attached.has(id))}
        none={rows.length === 0}
        pending={false}
        onAdd={(id) => onChange([...skills, { id, enabled: true }])}
      />
    </div>
  )
}

function toRow(skill: SkillListing, enabled: boolean): AttachedSkill {
  const { id, name, description, version, checksum, allowedTools, state } = skill
  const force = forceOf(skill)
  return {
    skillId: id,
    name,
    description,
    version,
    checksum,
    allowedTools,
    state,
    enabledHere: enabled,
    force,
    ...countsHere(enabled, force),
  }
}
