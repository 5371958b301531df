'use client'
import type { ConfigurationSkills } from '@toolgate/server/toolset/policy/configuration-skills'
import { ArrowDown, ArrowUp, X } from 'lucide-react'
import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { IconButton } from '@/components/ui/icon-button'
import { StatePill } from '@/components/ui/state-pill'
import { OnOffSwitch } from '@/components/ui/switch'
import { useKeptFocus } from '@/components/ui/use-kept-focus'
import { skillStateWords } from '@/lib/domains/skills/shape'
import { countsHere } from '@/lib/domains/skills/shared/skill-force'
import { statePills, ToolNames } from './skill-words'

export type AttachedSkill = ConfigurationSkills['skills'][number]
type MoveDirection = 'up' | 'down'
export type AttachedSkillChange =
  | { type: 'switch'; skillId: string; enabled: boolean }
  | { type: 'move'; skillId: string; direction: MoveDirection }
  | { type: 'remove'; skillId: string }

/** Returns the list as it will be once the server has accepted the change. */
export function withChange(skills: AttachedSkill[], change: AttachedSkillChange): AttachedSkill[] {
  const index = skills.findIndex(({ skillId }) => skillId === change.skillId)
  const skill = skills[index]
  if (!skill) return skills
  switch (change.type) {
    case 'switch':
      return skills.with(index, {
        ...skill,
        enabledHere: change.enabled,
        ...countsHere(change.enabled, skill.force),
      })
    case 'remove':
      return skills.toSpliced(index, 1)
    case 'move':
      return skills
        .toSpliced(index, 1)
        .toSpliced(Math.max(0, index + (change.direction === 'up' ? -1 : 1)), 0, skill)
    default:
      return change satisfies never
  }
}

type Apply = (change: AttachedSkillChange) => void

export function AttachedSkillRow({
  skill,
  isFirst,
  isLast,
  apply,
}: {
  skill: AttachedSkill
  isFirst: boolean
  isLast: boolean
  apply: Apply
}) {
  const { skillId, name } = skill
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 p-3">
      <div className="min-w-48 flex-1">
        <div className="flex flex-wrap items-center gap-2">
          <Link
            href={`/skills/${skillId}`}
            className="font-mono text-link text-mono hover:underline"
          >
            {name}
          </Link>
          <span className="numeric text-muted text-sm">version {skill.version}</span>
          {skill.state !== 'on' && (
            <StatePill state={statePills[skill.state]}>{skillStateWords[skill.state]}</StatePill>
          )}
        </div>
        <p className="text-muted text-sm [overflow-wrap:anywhere]">
          <VisibleText text={skill.description} />
        </p>
        <p className="text-sm">
          Allowed tools: <ToolNames names={skill.allowedTools} />
        </p>
      </div>
      <div className="flex items-center gap-2">
        <OnOffSwitch
          checked={skill.enabledHere}
          aria-label={`Use ${name} here`}
          onCheckedChange={(enabled) => apply({ type: 'switch', skillId, enabled })}
        />
        <MoveButton skill={skill} direction="up" atEnd={isFirst} apply={apply} />
        <MoveButton skill={skill} direction="down" atEnd={isLast} apply={apply} />
        <IconButton
          label={`Remove ${name}`}
          size="sm"
          onClick={() => apply({ type: 'remove', skillId })}
        >
          <X aria-hidden />
        </IconButton>
      </div>
    </li>
  )
}

/**
 * Shows a button that moves the skill. At the end of the list it stays enabled and does nothing, because a disabled
 * button would lose the focus.
 */
function MoveButton({
  skill: { skillId, name },
  direction,
  atEnd,
  apply,
}: {
  skill: AttachedSkill
  direction: MoveDirection
  atEnd: boolean
  apply: Apply
}) {
  const { ref, keepFocus } = useKeptFocus()
  const Icon = direction === 'up' ? ArrowUp : ArrowDown
  return (
    <IconButton
      label={`Send ${name} ${direction === 'up' ? 'earlier' : 'later'}`}
      size="sm"
      aria-disabled={atEnd || undefined}
      ref={ref}
      onClick={() => {
        keepFocus()
        if (!atEnd) apply({ type: 'move', skillId, direction })
      }}
    >
      <Icon aria-hidden />
    </IconButton>
  )
}
