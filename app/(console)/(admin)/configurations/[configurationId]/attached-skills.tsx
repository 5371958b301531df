'use client'
import { useState } from 'react'
import { ConfirmDialog } from '@/components/forms/confirm-dialog'
import {
  type AttachedSkill,
  type AttachedSkillChange,
  AttachedSkillRow,
} from '@/components/nouns/attached-skill'
import { PickSkill, type SkillChoice } from '@/components/nouns/pick-skill'
import { LimitGone } from '@/components/nouns/skill-words'
import { visibleText } from '@/lib/words/clean-text'
import { nameOf, sendChange, takesLastLimit } from './attached-skill-change'
import { useAttachedSkills } from './use-attached-skills'

export function AttachedSkills({
  configurationId,
  configurationName,
  skills: stored,
  choices,
}: {
  configurationId: string
  configurationName: string
  skills: AttachedSkill[]
  choices: SkillChoice[]
}) {
  const { skills, pending, add, change, question, endQuestion } = useAttachedSkills(
    configurationId,
    stored,
  )
  const [target, setTarget] = useState<AttachedSkillChange | null>(null)
  const apply = (wanted: AttachedSkillChange) =>
    takesLastLimit(skills, wanted) ? setTarget(wanted) : change(wanted)

  return (
    <div className="flex flex-col gap-3">
      {skills.length > 0 && (
        <ol className="divide-y rounded-md border bg-surface-1" aria-label="Skills">
          {skills.map((skill, index) => (
            <AttachedSkillRow
              key={skill.skillId}
              skill={skill}
              isFirst={index === 0}
              isLast={index === skills.length - 1}
              apply={apply}
            />
          ))}
        </ol>
      )}
      <PickSkill choices={choices} none={skills.length === 0} pending={pending} onAdd={add} />
      {question && (
        <ConfirmDialog
          title="Leave runs without tools"
          done="Skills saved"
          send={() => sendChange(configurationId, question.change, true)}
          onClose={endQuestion}
        >
          {visibleText(question.message)}
        </ConfirmDialog>
      )}
      {target && (
        <ConfirmDialog
          {...wordsOf(target, skills)}
          send={() => sendChange(configurationId, target)}
          onClose={() => setTarget(null)}
        >
          <LimitGone configurations={[configurationName]} />
        </ConfirmDialog>
      )}
    </div>
  )
}

function wordsOf({ type, skillId }: AttachedSkillChange, skills: AttachedSkill[]) {
  const name = nameOf(skillId, skills)
  return type === 'remove'
    ? { title: `Remove ${name} here`, done: `Removed ${name} here` }
    : { title: `Switch off ${name} here`, done: `${name} is off here` }
}
