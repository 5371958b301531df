'use client'
import { Plus } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { Choice } from '@/components/forms/choice'
import { Button } from '@/components/ui/button'
import { visibleText } from '@/lib/words/clean-text'

export type SkillChoice = { id: string; name: string; description: string }

/** Adds one of the skills that the configuration does not have yet. */
export function PickSkill({
  choices,
  none,
  pending,
  onAdd,
}: {
  choices: SkillChoice[]
  none: boolean
  pending: boolean
  onAdd: (skillId: string) => void
}) {
  const [picked, setPicked] = useState('')
  if (choices.length === 0) {
    return (
      <p className="text-muted">
        {none ? 'No skills yet. ' : 'All skills are added. '}
        <Link href="/skills/add" className="text-link underline underline-offset-2">
          Add a skill
        </Link>
      </p>
    )
  }
  const chosen = choices.some(({ id }) => id === picked) ? picked : ''
  return (
    <div className="flex flex-wrap items-center gap-2">
      <Choice
        aria-label="Skill to add"
        searchLabel="Search skills"
        className="sm:w-80"
        placeholder="Pick a skill"
        options={choices.map(({ id, name, description }) => ({
          value: id,
          label: name,
          hint: visibleText(description.slice(0, 120)),
        }))}
        value={chosen}
        onValueChange={setPicked}
      />
      <Button loading={pending} disabled={chosen === ''} onClick={() => onAdd(chosen)}>
        <Plus className="size-4" aria-hidden />
        Add skill
      </Button>
    </div>
  )
}
