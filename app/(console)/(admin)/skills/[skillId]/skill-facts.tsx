import type { SkillListing } from '@toolgate/server/domains/skills/schemas'
import { statePills } from '@/components/nouns/skill-words'
import { CodeText } from '@/components/trace/code-text'
import { Fact } from '@/components/ui/fact'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'
import { skillSourceWords, skillStateWords } from '@/lib/domains/skills/shape'
import { formatBytes } from '@/lib/words/format'
import { UsedBy } from '../(list)/used-by'

export function SkillFacts({ skill }: { skill: SkillListing }) {
  return (
    <section aria-label="About this skill" className="rounded-md border bg-surface-1 p-3">
      <dl className="flex flex-wrap gap-x-8 gap-y-2 text-sm">
        <Fact label="State">
          <StatePill state={statePills[skill.state]}>{skillStateWords[skill.state]}</StatePill>
        </Fact>
        <Fact label="Version">{skill.version}</Fact>
        <Fact label="Source">{skillSourceWords[skill.source]}</Fact>
        {skill.path && (
          <Fact label="File">
            <CodeText text={skill.path} />
          </Fact>
        )}
        <Fact label="Size">{formatBytes(skill.bytes)}</Fact>
        <Fact label="Changed">
          <RelativeTime at={skill.updatedAt} />
        </Fact>
        <Fact label="Used by">
          <UsedBy configurations={skill.configurations} tasks={skill.tasks} />
        </Fact>
        <Fact label="SHA-256">
          <code className="font-mono text-mono">{skill.checksum}</code>
        </Fact>
      </dl>
    </section>
  )
}
