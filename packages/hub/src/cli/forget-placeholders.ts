// A host that has no value for a setting of an MCPB bundle passes its placeholder on: TIDINGS_TOKEN=${user_config.token}.

export function forgetPlaceholders(env: NodeJS.ProcessEnv): void {
  for (const [name, value] of Object.entries(env)) {
    if (name.startsWith('TIDINGS_') && /^\$\{user_config\.\w+\}$/.test(value ?? '')) delete env[name];
  }
}
