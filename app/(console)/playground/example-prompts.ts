type Example = { needs: string | null; prompt: string }

const examples: Example[] = [
  {
    needs: 'fetch_logs',
    prompt: 'Look at the latest errors in the application log. What should I check first?',
  },
  { needs: 'list_users', prompt: 'Which accounts exist here, and which of them are admins?' },
  {
    needs: 'get_runtime_info',
    prompt: 'Which Node version does this server run on, and what is its uptime?',
  },
  {
    needs: 'get_env',
    prompt: 'List the environment variables that are set. Does anything look unusual?',
  },
  { needs: 'list_groups', prompt: 'Which groups are there, and who belongs to them?' },
  { needs: null, prompt: 'Explain in three sentences what a tool call is.' },
  { needs: null, prompt: 'Which tools can you call in this run, and what is each of them for?' },
  { needs: null, prompt: 'What can you find out about this installation?' },
]

/** Three first prompts that fit the tools of this run. */
export function examplePrompts(toolNames: readonly string[]): string[] {
  return examples
    .filter(({ needs }) => needs === null || toolNames.includes(needs))
    .slice(0, 3)
    .map(({ prompt }) => prompt)
}
