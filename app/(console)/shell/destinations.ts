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
  UserRound,
  UsersRound,
  Wrench,
} from 'lucide-react'
import { headingOf, pathOf, resourceNouns } from '@/lib/protocol/nouns'
import type { Role } from '@/lib/protocol/tool'

export type Destination = {
  href: string
  label: string
  icon: LucideIcon
  section: 'Work' | 'Govern' | 'Models' | 'Money' | 'Site' | 'You'
  /** The roles that see it in the navigation. The page itself decides who may open it. */
  role: Role
  /** Only this role sees it at this place. */
  only?: Role
}

/** Every page of the rail, in its order. A new page is one line here. */
const destinations: readonly Destination[] = [
  {
    href: '/overview',
    label: 'Overview',
    icon: LayoutDashboard,
    section: 'Work',
    role: 'member',
  },
  {
    href: '/playground',
    label: 'Playground',
    icon: MessagesSquare,
    section: 'Work',
    role: 'member',
  },
  { href: '/runs', label: 'Runs', icon: ScrollText, section: 'Work', role: 'member' },
  { href: '/approvals', label: 'Approvals', icon: Hand, section: 'Work', role: 'member' },
  {
    href: '/tasks',
    label: 'Tasks',
    icon: ListTodo,
    section: 'Work',
    role: 'member',
    only: 'member',
  },
  { href: '/memory', label: 'Memory', icon: NotebookPen, section: 'Work', role: 'member' },
  { href: '/tools', label: 'Tools', icon: Wrench, section: 'Govern', role: 'admin' },
  { href: '/servers', label: 'Servers', icon: Server, section: 'Govern', role: 'admin' },
  { href: '/resources', label: 'Resources', icon: Library, section: 'Govern', role: 'admin' },
  { href: '/skills', label: 'Skills', icon: GraduationCap, section: 'Govern', role: 'admin' },
  { href: '/connections', label: 'Connections', icon: Plug, section: 'Models', role: 'admin' },
  { href: '/models', label: 'Models', icon: Boxes, section: 'Models', role: 'admin' },
  {
    href: '/configurations',
    label: 'Configurations',
    icon: SlidersHorizontal,
    section: 'Models',
    role: 'admin',
  },
  {
    href: '/tasks',
    label: 'Tasks',
    icon: ListTodo,
    section: 'Models',
    role: 'admin',
    only: 'admin',
  },
  {
    href: '/schedules',
    label: 'Schedules',
    icon: CalendarClock,
    section: 'Models',
    role: 'admin',
  },
  { href: '/budgets', label: 'Budgets', icon: Gauge, section: 'Money', role: 'admin' },
  { href: '/usage', label: 'Usage', icon: ChartColumn, section: 'Money', role: 'admin' },
  { href: '/users', label: 'Users', icon: UserRound, section: 'Site', role: 'admin' },
  { href: '/groups', label: 'Groups', icon: UsersRound, section: 'Site', role: 'admin' },
  { href: '/channels', label: 'Channels', icon: Megaphone, section: 'Site', role: 'admin' },
  { href: '/audit', label: 'Audit', icon: FileClock, section: 'Site', role: 'admin' },
  { href: '/settings', label: 'Settings', icon: Settings, section: 'Site', role: 'admin' },
]

/** Pages that other pages link to and the rail does not show. */
const further: readonly Destination[] = [
  {
    href: '/runs/conversations',
    label: 'Conversations',
    icon: MessagesSquare,
    section: 'Work',
    role: 'member',
  },
  { href: '/runs/panels', label: 'Panels', icon: Columns3, section: 'Work', role: 'member' },
  {
    href: '/approvals/rules',
    label: 'Rules',
    icon: ListChecks,
    section: 'Govern',
    role: 'admin',
  },
  {
    href: '/memory/people',
    label: 'Memory of people',
    icon: NotebookPen,
    section: 'Site',
    role: 'admin',
  },
  ...resourceNouns.map(
    (noun): Destination => ({
      href: pathOf(noun),
      label: headingOf(noun),
      icon: Library,
      section: 'Govern',
      role: 'admin',
    }),
  ),
  { href: '/connect', label: 'Connect a model', icon: Cable, section: 'Models', role: 'admin' },
  { href: '/tools/explain', label: 'Explain', icon: CircleHelp, section: 'Govern', role: 'admin' },
  {
    href: '/settings/site-file',
    label: 'Site file',
    icon: FileCog,
    section: 'Site',
    role: 'admin',
  },
  { href: '/settings/backups', label: 'Backups', icon: FileCog, section: 'Site', role: 'admin' },
  { href: '/account', label: 'Your account', icon: CircleUser, section: 'You', role: 'member' },
]

/** Returns the pages that the rail shows a role. */
export function destinationsFor(role: Role): Destination[] {
  return destinations.filter((each) => isFor(each, role))
}

/** Returns every page that a role can open by name: those of the rail, then the others. */
export function placesFor(role: Role): Destination[] {
  return [...destinations, ...further].filter((each) => isFor(each, role))
}

function isFor(destination: Destination, role: Role): boolean {
  return standsHere(destination, role) && (role === 'admin' || destination.role === 'member')
}

function standsHere({ only }: Destination, role: Role): boolean {
  return (only ?? role) === role
}

/** Returns the page that a path belongs to: `/runs/abc` to Runs, `/tools/explain` to Tools. */
export function destinationAt(pathname: string, role: Role): Destination | undefined {
  return destinationsAt(pathname, role)[0]
}

/** Returns the page that a path belongs to, then those below it: `/tools/explain` to Tools and Explain. */
export function destinationsAt(pathname: string, role: Role): Destination[] {
  return [...destinations, ...further].filter(
    (each) =>
      standsHere(each, role) && (pathname === each.href || pathname.startsWith(`${each.href}/`)),
  )
}
