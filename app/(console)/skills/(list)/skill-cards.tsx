import Link from 'next/link'
import { countOf } from '@/components/trace/count-of'
import { VisibleText } from '@/components/trace/visible-text'
import { StatePill } from '@/components/ui/state-pill'
import { formatBytes } from '@/lib/protocol/format'
import type { SkillListing } from '@/lib/skills/schemas'
import { sourceWords, statePills, stateWords } from '../skill-words'
import { ListedTools } from './listed-tools'

/** The table of narrow screens: which skill, whether it counts, and what it lists. */
export function SkillCards({ skills }: { skills: SkillListing[] }) {
  return (
    <ul className="flex flex-col gap-2 lg:hidden">
      {skills.map((skill) => (
        <li key={skill.id}>
          <Entry skill={skill} />
        </li>
      ))}
    </ul>
  )
}

function Entry({ skill }: { skill: SkillListing }) {
  return (
    <article className="relative flex flex-col gap-2 rounded-md border bg-surface-1 p-3">
      <div className="flex items-start justify-between gap-2">
        <Link
          href={`/skills/${skill.id}`}
          className="font-mono text-mono text-strong [overflow-wrap:anywhere] after:absolute after:inset-0"
        >
          {skill.name}
        </Link>
        <StatePill state={statePills[skill.state]}>{stateWords[skill.state]}</StatePill>
      </div>
      {skill.description && (
        <p className="line-clamp-2 text-muted text-sm [overflow-wrap:anywhere]">
          <VisibleText text={skill.description} />
        </p>
      )}
      <p className="text-sm">
        Lists: <ListedTools names={skill.allowedTools} />
      </p>
      <ul className="numeric flex flex-wrap gap-x-3 text-muted text-sm">
        <li>{sourceWords[skill.source]}</li>
        <li>version {skill.version}</li>
        <li>{formatBytes(skill.bytes)}</li>
        <li>{countOf(skill.configurations.length, 'configuration')}</li>
      </ul>
    </article>
  )
}
