import {
  Boxes,
  Cable,
  CalendarClock,
  ChartColumn,
  CircleHelp,
  CircleUser,
  Columns3,
  FileClock,
  FileCog,
  Gauge,
  GraduationCap,
  Hand,
  LayoutDashboard,
  Library,
  ListChecks,
  ListTodo,
  type LucideIcon,
  Megaphone,
  MessagesSquare,
  NotebookPen,
  Plug,
  ScrollText,
  Server,
  Settings,
  SlidersHorizontal,
  UsersRound,
  Wrench,
} from 'lucide-react'
import { headingOf, pathOf, resourceNouns } from '@/lib/protocol/nouns'
import type { Role } from '@/lib/protocol/tool'

export type Destination = {
  href: string
  label: string
  icon: LucideIcon
  section: 'Work' | 'Govern' | 'Models' | 'Site' | 'You'
  /** The roles that see it in the navigation. The page itself decides who may open it. */
  role: Role
  /** The address of the page that it belongs to. */
  under?: string
  /** Its label among the tabs of the pages that belong together; left out: it is none of them. */
  tab?: string
}

/** Every page of the rail, in its order: at most 16. */
const rail: readonly Destination[] = [
  { href: '/overview', label: 'Overview', icon: LayoutDashboard, section: 'Work', role: 'member' },
  {
    href: '/playground',
    label: 'Playground',
    icon: MessagesSquare,
    section: 'Work',
    role: 'member',
  },
  { href: '/runs', label: 'Runs', icon: ScrollText, section: 'Work', role: 'member', tab: 'Runs' },
  {
    href: '/approvals',
    label: 'Approvals',
    icon: Hand,
    section: 'Work',
    role: 'member',
    tab: 'Pending',
  },
  { href: '/tasks', label: 'Tasks', icon: ListTodo, section: 'Work', role: 'member', tab: 'Tasks' },
  { href: '/tools', label: 'Tools', icon: Wrench, section: 'Govern', role: 'admin', tab: 'Tools' },
  { href: '/servers', label: 'Servers', icon: Server, section: 'Govern', role: 'admin' },
  { href: '/resources', label: 'Resources', icon: Library, section: 'Govern', role: 'admin' },
  { href: '/skills', label: 'Skills', icon: GraduationCap, section: 'Govern', role: 'admin' },
  {
    href: '/configurations',
    label: 'Configurations',
    icon: SlidersHorizontal,
    section: 'Models',
    role: 'admin',
  },
  {
    href: '/connections',
    label: 'Connections',
    icon: Plug,
    section: 'Models',
    role: 'admin',
    tab: 'Connections',
  },
  {
    href: '/usage',
    label: 'Usage',
    icon: ChartColumn,
    section: 'Site',
    role: 'admin',
    tab: 'Usage',
  },
  {
    href: '/users',
    label: 'People',
    icon: UsersRound,
    section: 'Site',
    role: 'admin',
    tab: 'Users',
  },
  { href: '/audit', label: 'Audit', icon: FileClock, section: 'Site', role: 'admin' },
  { href: '/settings', label: 'Settings', icon: Settings, section: 'Site', role: 'admin' },
]

/** Pages that the rail does not show: tabs of its pages, and those that other pages link to. */
const further: readonly Destination[] = [
  {
    href: '/runs/conversations',
    label: 'Conversations',
    icon: MessagesSquare,
    section: 'Work',
    role: 'member',
    under: '/runs',
    tab: 'Conversations',
  },
  {
    href: '/runs/panels',
    label: 'Panels',
    icon: Columns3,
    section: 'Work',
    role: 'member',
    under: '/runs',
    tab: 'Panels',
  },
  {
    href: '/approvals/decided',
    label: 'Decided approvals',
    icon: Hand,
    section: 'Work',
    role: 'member',
    under: '/approvals',
    tab: 'Decided',
  },
  {
    href: '/schedules',
    label: 'Schedules',
    icon: CalendarClock,
    section: 'Work',
    role: 'admin',
    under: '/tasks',
    tab: 'Schedules',
  },
  {
    href: '/approvals/rules',
    label: 'Rules',
    icon: ListChecks,
    section: 'Govern',
    role: 'admin',
    under: '/tools',
    tab: 'Rules',
  },
  {
    href: '/tools/explain',
    label: 'Explain',
    icon: CircleHelp,
    section: 'Govern',
    role: 'admin',
    under: '/tools',
    tab: 'Explain',
  },
  ...resourceNouns.map(
    (noun): Destination => ({
      href: pathOf(noun),
      label: headingOf(noun),
      icon: Library,
      section: 'Govern',
      role: 'admin',
      under: '/resources',
      tab: headingOf(noun),
    }),
  ),
  {
    href: '/channels',
    label: 'Channels',
    icon: Megaphone,
    section: 'Govern',
    role: 'admin',
    under: '/resources',
    tab: 'Channels',
  },
  {
    href: '/models',
    label: 'Models',
    icon: Boxes,
    section: 'Models',
    role: 'admin',
    under: '/connections',
    tab: 'Models',
  },
  {
    href: '/connect',
    label: 'Connect a model',
    icon: Cable,
    section: 'Models',
    role: 'admin',
    under: '/connections',
  },
  {
    href: '/budgets',
    label: 'Budgets',
    icon: Gauge,
    section: 'Site',
    role: 'admin',
    under: '/usage',
    tab: 'Budgets',
  },
  {
    href: '/groups',
    label: 'Groups',
    icon: UsersRound,
    section: 'Site',
    role: 'admin',
    under: '/users',
    tab: 'Groups',
  },
  {
    href: '/memory/people',
    label: 'Memory of people',
    icon: NotebookPen,
    section: 'Site',
    role: 'admin',
    under: '/users',
    tab: 'Memory',
  },
  {
    href: '/settings/site-file',
    label: 'Site file',
    icon: FileCog,
    section: 'Site',
    role: 'admin',
    under: '/settings',
  },
  {
    href: '/settings/backups',
    label: 'Backups',
    icon: FileCog,
    section: 'Site',
    role: 'admin',
    under: '/settings',
  },
  {
    href: '/account',
    label: 'Your account',
    icon: CircleUser,
    section: 'You',
    role: 'member',
    tab: 'Account',
  },
  {
    href: '/memory',
    label: 'Memory',
    icon: NotebookPen,
    section: 'You',
    role: 'member',
    under: '/account',
    tab: 'Memory',
  },
]

/** Returns the pages that the rail shows a role. */
export function destinationsFor(role: Role): Destination[] {
  return rail.filter((each) => isFor(each, role))
}

/** Returns every page that a role can open by name: those of the rail, then the others. */
export function placesFor(role: Role): Destination[] {
  return [...rail, ...further].filter((each) => isFor(each, role))
}

function isFor(destination: Destination, role: Role): boolean {
  return role === 'admin' || destination.role === 'member'
}

/** Returns the page that a path belongs to: `/runs/abc` to Runs, `/tools/explain` to Tools. */
export function destinationAt(pathname: string): Destination | undefined {
  return destinationsAt(pathname)[0]
}

/** Returns the page that a path belongs to, with those above it: for `/models/abc`, Connections and Models. */
export function destinationsAt(pathname: string): Destination[] {
  const isAbove = ({ href }: Destination) => pathname === href || pathname.startsWith(`${href}/`)
  const [nearest] = [...further, ...rail]
    .filter(isAbove)
    .toSorted((a, b) => b.href.length - a.href.length)
  if (!nearest) return []
  const above = [...rail, ...further].find(({ href }) => href === nearest.under)
  return above ? [above, nearest] : [nearest]
}

/** Returns the pages that are shown as tabs on one of them; none on any other page. */
export function tabsAt(pathname: string, role: Role): Destination[] {
  const page = destinationsAt(pathname).at(-1)
  if (page?.href !== pathname || page.tab === undefined) return []
  const root = page.under ?? page.href
  const all = [...rail, ...further].filter(
    (each) => each.tab !== undefined && (each.under ?? each.href) === root && isFor(each, role),
  )
  return all.length > 1 ? all : []
}

/** Returns the addresses of a page of the rail and of those that belong to it. */
export function addressesOf({ href }: Destination): string[] {
  return [href, ...further.filter(({ under }) => under === href).map((each) => each.href)]
}
