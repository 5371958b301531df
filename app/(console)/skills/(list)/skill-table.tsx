import Link from 'next/link'
import { VisibleText } from '@/components/trace/visible-text'
import { StatePill } from '@/components/ui/state-pill'
import { Table, TableCell, TableHead, TableRow } from '@/components/ui/table'
import { formatBytes } from '@/lib/protocol/format'
import type { SkillListing } from '@/lib/skills/schemas'
import { sourceWords, statePills, stateWords } from '../skill-words'
import { ListedTools } from './listed-tools'
import { UsedBy } from './used-by'

export function SkillTable({ skills }: { skills: SkillListing[] }) {
  return (
    <div className="hidden lg:block">
      <Table aria-label="Skills">
        <thead>
          <tr>
            <TableHead className="w-1/3">Skill</TableHead>
            <TableHead>State</TableHead>
            <TableHead>Lists tools</TableHead>
            <TableHead>Used by</TableHead>
            <TableHead>Source</TableHead>
            <TableHead className="text-right">Version</TableHead>
            <TableHead className="text-right">Size</TableHead>
          </tr>
        </thead>
        <tbody>
          {skills.map((skill) => (
            <TableRow key={skill.id} className="transition-colors hover:bg-surface-2">
              <TableCell>
                <Link
                  href={`/skills/${skill.id}`}
                  className="font-mono text-link text-mono underline-offset-2 [overflow-wrap:anywhere] hover:underline"
                >
                  {skill.name}
                </Link>
                <p className="line-clamp-2 text-muted [overflow-wrap:anywhere]">
                  <VisibleText text={skill.description} />
                </p>
              </TableCell>
              <TableCell>
                <StatePill state={statePills[skill.state]}>{stateWords[skill.state]}</StatePill>
              </TableCell>
              <TableCell>
                <ListedTools names={skill.allowedTools} />
              </TableCell>
              <TableCell>
                <UsedBy configurations={skill.configurations} />
              </TableCell>
              <TableCell className="whitespace-nowrap">{sourceWords[skill.source]}</TableCell>
              <TableCell className="numeric text-right">{skill.version}</TableCell>
              <TableCell className="numeric whitespace-nowrap text-right">
                {formatBytes(skill.bytes)}
              </TableCell>
            </TableRow>
          ))}
        </tbody>
      </Table>
    </div>
  )
}
