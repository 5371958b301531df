import type { SkillListing, SkillSortKey } from '@toolgate/server/domains/skills/schemas'
import type { Column } from '@/components/list/columns'
import { DataTable } from '@/components/list/data-table'
import type { ListAddress } from '@/components/list/list-address'
import { CardLink, RowLink } from '@/components/list/row-link'
import { statePills, ToolNames } from '@/components/nouns/skill-words'
import { VisibleText } from '@/components/trace/visible-text'
import { RelativeTime } from '@/components/ui/relative-time'
import { StatePill } from '@/components/ui/state-pill'
import { skillSourceWords, skillStateWords } from '@/lib/domains/skills/shape'
import { countOf, formatBytes, listLabel } from '@/lib/words/format'
import { SkillSwitch } from '../skill-switch'
import { UsedBy } from './used-by'

type Props = { rows: SkillListing[]; address: ListAddress<SkillSortKey> }

export function SkillList(props: Props) {
  return (
    <DataTable
      label="Skills"
      columns={columns}
      rowKey={(skill) => skill.id}
      card={(skill) => <Entry skill={skill} />}
      tableFrom="lg"
      {...props}
    />
  )
}

const columns: Column<SkillListing, SkillSortKey>[] = [
  {
    key: 'name',
    head: 'Skill',
    sort: 'text',
    className: 'w-1/3',
    cell: (skill) => (
      <>
        <RowLink href={`/skills/${skill.id}`} className="font-mono text-mono">
          {skill.name}
        </RowLink>
        <p className="line-clamp-2 text-muted [overflow-wrap:anywhere]">
          <VisibleText text={skill.description} />
        </p>
      </>
    ),
  },
  { key: 'state', head: 'State', cell: (skill) => <State skill={skill} /> },
  {
    key: 'tools',
    head: 'Allowed tools',
    cell: (skill) => <ListedTools names={skill.allowedTools} />,
  },
  {
    key: 'used-by',
    head: 'Used by',
    cell: (skill) => <UsedBy configurations={skill.configurations} tasks={skill.tasks} />,
  },
  {
    key: 'source',
    head: 'Source',
    sort: 'text',
    className: 'whitespace-nowrap',
    cell: (skill) => skillSourceWords[skill.source],
  },
  {
    key: 'version',
    head: 'Version',
    sort: 'number',
    figures: true,
    cell: (skill) => skill.version,
  },
  { key: 'size', head: 'Size', figures: true, cell: (skill) => formatBytes(skill.bytes) },
  {
    key: 'changed',
    head: 'Changed',
    sort: 'time',
    className: 'whitespace-nowrap',
    cell: (skill) => <RelativeTime at={skill.updatedAt} />,
  },
]

/** Shows the switch of a skill, and what its state is beside on or off. */
function State({ skill }: { skill: SkillListing }) {
  const { id, name, enabled, state, allowedTools, configurations, tasks } = skill
  const limits = allowedTools !== null && configurations.length + tasks.length > 0
  return (
    <span className="inline-flex flex-col items-start gap-1">
      <SkillSwitch skill={{ id, name, enabled }} limit={limits ? mayLimit : null} />
      {state !== 'on' && state !== 'off' && (
        <StatePill state={statePills[state]}>{skillStateWords[state]}</StatePill>
      )}
    </span>
  )
}

const mayLimit =
  'Where no other skill limits tools, this removes the limit for new runs. Active runs keep it.'

/** Shows one skill on a narrow screen. */
function Entry({ skill }: { skill: SkillListing }) {
  return (
    <>
      <div className="flex items-start justify-between gap-2">
        <CardLink href={`/skills/${skill.id}`} className="font-mono text-mono">
          {skill.name}
        </CardLink>
        <State skill={skill} />
      </div>
      {skill.description && (
        <p className="line-clamp-2 text-muted text-sm [overflow-wrap:anywhere]">
          <VisibleText text={skill.description} />
        </p>
      )}
      <p className="text-sm">
        Allowed tools: <ListedTools names={skill.allowedTools} />
      </p>
      <ul className="numeric flex flex-wrap gap-x-3 text-muted text-sm">
        <li>{skillSourceWords[skill.source]}</li>
        <li>version {skill.version}</li>
        <li>{formatBytes(skill.bytes)}</li>
        <li>{countOf(skill.configurations.length, 'configuration')}</li>
        {skill.tasks.length > 0 && <li>{countOf(skill.tasks.length, 'task')}</li>}
      </ul>
    </>
  )
}

const toolsShown = 3

/** Shows the first tools that a skill lists, because a list may be long. */
export function ListedTools({ names }: { names: string[] | null }) {
  if (names === null) return <span className="text-muted">{listLabel('skillTools', names)}</span>
  return (
    <>
      <ToolNames names={names.slice(0, toolsShown)} />
      {names.length > toolsShown && ` and ${names.length - toolsShown} more`}
    </>
  )
}
