// What `npm pack` in sdk/ runs: there the SDK is TypeScript, which Node refuses below node_modules.
console.error('This folder is the source of the SDK. In the root folder, "npm run sdk:pack" makes the package.')
process.exit(1)
