# facescan completion for PowerShell. Generated file; do not edit.
# To install it: facescan completion powershell >> $PROFILE

# Windows has no awk, so this script reads the rows itself.
$facescanRows = @'
	1	users	create, show, update, and delete users
users	1	create	create a user
users	1	get	show a user
users	1	update	update a user
users	1	import	create users from a file
users	1	delete	delete a user and their data
	1	scan-url	create a link to start a face scan
	1	dashboard-url	create a one-time link to the dashboard
	1	invite	create many users and their scan links from a file
	1	token	create an action token for a user
	1	overview	show a user, the last scan, and scores on one screen
	1	biomarkers	biomarkers from face scans
biomarkers	1	list	list a user’s scans
biomarkers	1	latest	show the latest scans
biomarkers	1	get	show a scan
biomarkers	1	compare	compare average biomarkers in two time periods
	1	metrics	show a user’s six health metrics
	1	wellbeing	show wellbeing scores
	1	summary	show feedback and tips on wellbeing
	1	recommendations	show recommendations
	1	answers	answers to health questions
answers	1	keys	list the lookup keys of the questions
answers	1	list	list a user’s answers
answers	1	save	save answers for a user
answers	1	import	import answers from a file
	1	imports	imports started on this machine
imports	1	list	list imports
imports	1	show	show an import
imports	1	resume	resume a stopped import
imports	1	verify	compare an import with the saved answers
imports	1	merge	combine the shard summaries of an import
imports	1	remove	remove the record of an import
	1	profiles	stored API keys and base URLs
profiles	1	add	add a profile and its key
profiles	1	list	list profiles
profiles	1	show	show a profile
profiles	1	use	set the default profile
profiles	1	set	change the settings of a profile
profiles	1	unlock	temporarily allow changes with a read-only profile
profiles	1	move-key	move a key to another store
profiles	1	remove	remove a profile and its key
	1	status	show the active profile and the sources of its settings
	1	doctor	check the installation and configuration
	1	history	audit log of changes made from this machine
history	1	list	list the latest changes
	1	demo	take a guided tour in a temporary sandbox
	1	sandbox	built-in simulation of the service
sandbox	1	serve	serve the sandbox over HTTP until Ctrl-C
sandbox	1	scan	record synthetic scans for a user
sandbox	1	key	print an API key for the sandbox
sandbox	1	status	show the contents of the sandbox
sandbox	1	reset	delete the data and keys of the sandbox
sandbox	1	openapi	print the API as an OpenAPI document
	1	api	call an API endpoint
	1	ce-label	get the CE label image
	1	widgets	show data for deprecated widgets
widgets	1	biomarker	show data for a biomarker widget
widgets	1	metric	show data for a metric widget
widgets	1	graph	show data for a graph widget
	1	schema	describe the commands in machine-readable form
	1	completion	print a shell completion script
	1	help	show help for a command or topic
help	1	users	create, show, update, and delete users
help users	1	create	create a user
help users	1	get	show a user
help users	1	update	update a user
help users	1	import	create users from a file
help users	1	delete	delete a user and their data
help	1	scan-url	create a link to start a face scan
help	1	dashboard-url	create a one-time link to the dashboard
help	1	invite	create many users and their scan links from a file
help	1	token	create an action token for a user
help	1	overview	show a user, the last scan, and scores on one screen
help	1	biomarkers	biomarkers from face scans
help biomarkers	1	list	list a user’s scans
help biomarkers	1	latest	show the latest scans
help biomarkers	1	get	show a scan
help biomarkers	1	compare	compare average biomarkers in two time periods
help	1	metrics	show a user’s six health metrics
help	1	wellbeing	show wellbeing scores
help	1	summary	show feedback and tips on wellbeing
help	1	recommendations	show recommendations
help	1	answers	answers to health questions
help answers	1	keys	list the lookup keys of the questions
help answers	1	list	list a user’s answers
help answers	1	save	save answers for a user
help answers	1	import	import answers from a file
help	1	imports	imports started on this machine
help imports	1	list	list imports
help imports	1	show	show an import
help imports	1	resume	resume a stopped import
help imports	1	verify	compare an import with the saved answers
help imports	1	merge	combine the shard summaries of an import
help imports	1	remove	remove the record of an import
help	1	profiles	stored API keys and base URLs
help profiles	1	add	add a profile and its key
help profiles	1	list	list profiles
help profiles	1	show	show a profile
help profiles	1	use	set the default profile
help profiles	1	set	change the settings of a profile
help profiles	1	unlock	temporarily allow changes with a read-only profile
help profiles	1	move-key	move a key to another store
help profiles	1	remove	remove a profile and its key
help	1	status	show the active profile and the sources of its settings
help	1	doctor	check the installation and configuration
help	1	history	audit log of changes made from this machine
help history	1	list	list the latest changes
help	1	demo	take a guided tour in a temporary sandbox
help	1	sandbox	built-in simulation of the service
help sandbox	1	serve	serve the sandbox over HTTP until Ctrl-C
help sandbox	1	scan	record synthetic scans for a user
help sandbox	1	key	print an API key for the sandbox
help sandbox	1	status	show the contents of the sandbox
help sandbox	1	reset	delete the data and keys of the sandbox
help sandbox	1	openapi	print the API as an OpenAPI document
help	1	api	call an API endpoint
help	1	ce-label	get the CE label image
help	1	widgets	show data for deprecated widgets
help widgets	1	biomarker	show data for a biomarker widget
help widgets	1	metric	show data for a metric widget
help widgets	1	graph	show data for a graph widget
help	1	schema	describe the commands in machine-readable form
help	1	completion	print a shell completion script
help	1	help	show help for a command or topic
users create	-	--external-user-id	external user ID
users create	--external-user-id		
users create	-	--no-external-user-id	create without an external user ID (earlier API revision)
users create	-	--birth-date	date of birth (YYYY-MM-DD)
users create	--birth-date		
users create	-	--sex	sex at birth
users create	--sex	M F	
users create	-	--language	default language
users create	--language	en nl fr da sv	
users create	-	--unit-system	preferred unit system
users create	--unit-system	metric imperial	
users create	-	--if-not-exists	return the existing user if the ID is taken
users create	-	--ids	accept an ID with signs of damage
users create	--ids	exact	
users create	--json=	user_id customer birth_date sex language preferred_unit_system weight weight_unit height height_unit hypertension	,
users get	-	--external-user-id	external user ID
users get	--external-user-id		
users get	-	--user-id	user ID assigned by the service
users get	--user-id		
users get	-	--users	file with one user per row, or - for standard input
users get	--users	@files	
users get	-+	--keep	input columns to copy to the output
users get	--keep		,
users get	-	--out	output file; repeat the command to resume it or to retry failed users
users get	--out	@files	
users get	-+	--map	map a column to a field, or ignore it with column=
users get	--map		,
users get	-	--delimiter	column delimiter (default: detected)
users get	--delimiter		
users get	-	--encoding	text encoding (default: detected)
users get	--encoding		
users get	-	--header-line	line of the header (default: detected)
users get	--header-line		
users get	-+	--ignore-columns	columns to ignore
users get	--ignore-columns		,
users get	-	--ids	how to read user IDs: exact (skip checks), keep (do not add zeros), or pad:N (add leading zeros)
users get	--ids		
users get	-	--sheet	sheet of a workbook (default: the first visible sheet)
users get	--sheet		
users get	-	--hidden	hidden rows and columns of a workbook
users get	--hidden	include skip	
users get	-	--mapping	settings file written by --save-mapping
users get	--mapping	@files	
users get	-	--save-mapping	save these settings for the next file
users get	--save-mapping	@files	
users get	-	--skip-invalid	skip invalid rows
users get	-	--errors	output file for failed users and skipped rows
users get	--errors	@files	
users get	-	--renew	run a finished list again from its start
users get	-	--max-concurrency	maximum concurrent requests
users get	--max-concurrency		
users get	-	--rate	maximum requests per second
users get	--rate		
users get	-	--max-wait	longest Retry-After to wait for (default 1h)
users get	--max-wait		
users get	-	--max-users	refuse a file with more than n users
users get	--max-users		
users get	-	--shard	shard k of n, or auto to use the index of the Kubernetes or Slurm task
users get	--shard		
users get	-	--shard-index	shard index, starting at 0 (with --shard-count)
users get	--shard-index		
users get	-	--shard-count	number of shards (for --shard-index and --shard auto)
users get	--shard-count		
users get	--json=	user_id customer birth_date sex language preferred_unit_system weight weight_unit height height_unit hypertension	,
users update	-	--external-user-id	external user ID
users update	--external-user-id		
users update	-	--user-id	user ID assigned by the service
users update	--user-id		
users update	-	--birth-date	date of birth (YYYY-MM-DD)
users update	--birth-date		
users update	-	--sex	sex at birth
users update	--sex	M F	
users update	-	--language	default language
users update	--language	en nl fr da sv	
users update	-	--unit-system	preferred unit system
users update	--unit-system	metric imperial	
users update	-	--new-external-user-id	new external user ID
users update	--new-external-user-id		
users update	-	--ids	accept an ID with signs of damage
users update	--ids	exact	
users update	-+	--clear	fields to clear
users update	--clear	birth-date sex language unit-system	,
users update	--json=	user_id customer birth_date sex language preferred_unit_system weight weight_unit height height_unit hypertension	,
users import	-	--existing	for existing users
users import	--existing	skip update fail	
users import	-	--out	output file for user IDs (default: beside the input file)
users import	--out	@files	
users import	-	--with-answers	also save the answers in the file
users import	-	--timezone	time zone for rows without a time zone
users import	--timezone	@zones	
users import	-	--again	with --with-answers: save imported answers again
users import	-	--repeat-result	with --with-answers: report a finished import again
users import	-	--date-format	date format, such as DD-MM-YYYY
users import	--date-format		
users import	-+	--values	meaning of values in a field, such as sex:V=F
users import	--values		,
users import	-+	--map	map a column to a field, or ignore it with column=
users import	--map		,
users import	-	--delimiter	column delimiter (default: detected)
users import	--delimiter		
users import	-	--encoding	text encoding (default: detected)
users import	--encoding		
users import	-	--header-line	line of the header (default: detected)
users import	--header-line		
users import	-+	--ignore-columns	columns to ignore
users import	--ignore-columns		,
users import	-	--ids	how to read user IDs: exact (skip checks), keep (do not add zeros), or pad:N (add leading zeros)
users import	--ids		
users import	-	--sheet	sheet of a workbook (default: the first visible sheet)
users import	--sheet		
users import	-	--hidden	hidden rows and columns of a workbook
users import	--hidden	include skip	
users import	-	--mapping	settings file written by --save-mapping
users import	--mapping	@files	
users import	-	--save-mapping	save these settings for the next file
users import	--save-mapping	@files	
users import	-	--skip-invalid	skip invalid rows
users import	-	--errors	output file for failed users and skipped rows
users import	--errors	@files	
users import	-	--renew	run a finished list again from its start
users import	-	--max-concurrency	maximum concurrent requests
users import	--max-concurrency		
users import	-	--rate	maximum requests per second
users import	--rate		
users import	-	--max-wait	longest Retry-After to wait for (default 1h)
users import	--max-wait		
users import	-	--max-users	refuse a file with more than n users
users import	--max-users		
users import	-	--shard	shard k of n, or auto to use the index of the Kubernetes or Slurm task
users import	--shard		
users import	-	--shard-index	shard index, starting at 0 (with --shard-count)
users import	--shard-index		
users import	-	--shard-count	number of shards (for --shard-index and --shard auto)
users import	--shard-count		
users import	--json=	users done failed not_tried file errors_file	,
users import	1	@files	
users delete	-	--external-user-id	external user ID
users delete	--external-user-id		
users delete	-	--user-id	user ID assigned by the service
users delete	--user-id		
users delete	-	--only	delete the listed users with this status
users delete	--only		
users delete	-	--users	file with one user per row, or - for standard input
users delete	--users	@files	
users delete	-+	--keep	input columns to copy to the output
users delete	--keep		,
users delete	-	--out	output file; repeat the command to resume it or to retry failed users
users delete	--out	@files	
users delete	-+	--map	map a column to a field, or ignore it with column=
users delete	--map		,
users delete	-	--delimiter	column delimiter (default: detected)
users delete	--delimiter		
users delete	-	--encoding	text encoding (default: detected)
users delete	--encoding		
users delete	-	--header-line	line of the header (default: detected)
users delete	--header-line		
users delete	-+	--ignore-columns	columns to ignore
users delete	--ignore-columns		,
users delete	-	--ids	how to read user IDs: exact (skip checks), keep (do not add zeros), or pad:N (add leading zeros)
users delete	--ids		
users delete	-	--sheet	sheet of a workbook (default: the first visible sheet)
users delete	--sheet		
users delete	-	--hidden	hidden rows and columns of a workbook
users delete	--hidden	include skip	
users delete	-	--mapping	settings file written by --save-mapping
users delete	--mapping	@files	
users delete	-	--save-mapping	save these settings for the next file
users delete	--save-mapping	@files	
users delete	-	--skip-invalid	skip invalid rows
users delete	-	--errors	output file for failed users and skipped rows
users delete	--errors	@files	
users delete	-	--renew	run a finished list again from its start
users delete	-	--max-concurrency	maximum concurrent requests
users delete	--max-concurrency		
users delete	-	--rate	maximum requests per second
users delete	--rate		
users delete	-	--max-wait	longest Retry-After to wait for (default 1h)
users delete	--max-wait		
users delete	-	--max-users	refuse a file with more than n users
users delete	--max-users		
users delete	-	--shard	shard k of n, or auto to use the index of the Kubernetes or Slurm task
users delete	--shard		
users delete	-	--shard-index	shard index, starting at 0 (with --shard-count)
users delete	--shard-index		
users delete	-	--shard-count	number of shards (for --shard-index and --shard auto)
users delete	--shard-count		
users delete	--json=	user_id deleted	,
scan-url	-	--external-user-id	external user ID
scan-url	--external-user-id		
scan-url	-	--user-id	user ID assigned by the service
scan-url	--user-id		
scan-url	-	--language	language of the scan page
scan-url	--language	nl da en fr de es sv	
scan-url	-	--expire-at	expiration time (UTC) or duration, such as 2h
scan-url	--expire-at		
scan-url	-	--open	open the link in the browser instead of showing it
scan-url	-	--copy	copy to the clipboard, which is cleared after 45 s
scan-url	-	--qr	show a QR code instead of text
scan-url	-	--qr-file	save a QR code as a private PNG image
scan-url	--qr-file	@files	
scan-url	-	--wait	wait for the next scan and print it (default: up to 15m)
scan-url	--wait=		
scan-url	-	--users	file with one user per row, or - for standard input
scan-url	--users	@files	
scan-url	-+	--keep	input columns to copy to the output
scan-url	--keep		,
scan-url	-	--out	output file; repeat the command to resume it or to retry failed users
scan-url	--out	@files	
scan-url	-+	--map	map a column to a field, or ignore it with column=
scan-url	--map		,
scan-url	-	--delimiter	column delimiter (default: detected)
scan-url	--delimiter		
scan-url	-	--encoding	text encoding (default: detected)
scan-url	--encoding		
scan-url	-	--header-line	line of the header (default: detected)
scan-url	--header-line		
scan-url	-+	--ignore-columns	columns to ignore
scan-url	--ignore-columns		,
scan-url	-	--ids	how to read user IDs: exact (skip checks), keep (do not add zeros), or pad:N (add leading zeros)
scan-url	--ids		
scan-url	-	--sheet	sheet of a workbook (default: the first visible sheet)
scan-url	--sheet		
scan-url	-	--hidden	hidden rows and columns of a workbook
scan-url	--hidden	include skip	
scan-url	-	--mapping	settings file written by --save-mapping
scan-url	--mapping	@files	
scan-url	-	--save-mapping	save these settings for the next file
scan-url	--save-mapping	@files	
scan-url	-	--skip-invalid	skip invalid rows
scan-url	-	--errors	output file for failed users and skipped rows
scan-url	--errors	@files	
scan-url	-	--renew	run a finished list again from its start
scan-url	-	--max-concurrency	maximum concurrent requests
scan-url	--max-concurrency		
scan-url	-	--rate	maximum requests per second
scan-url	--rate		
scan-url	-	--max-wait	longest Retry-After to wait for (default 1h)
scan-url	--max-wait		
scan-url	-	--max-users	refuse a file with more than n users
scan-url	--max-users		
scan-url	-	--shard	shard k of n, or auto to use the index of the Kubernetes or Slurm task
scan-url	--shard		
scan-url	-	--shard-index	shard index, starting at 0 (with --shard-count)
scan-url	--shard-index		
scan-url	-	--shard-count	number of shards (for --shard-index and --shard auto)
scan-url	--shard-count		
scan-url	--json=	url expires_at	,
dashboard-url	-	--external-user-id	external user ID
dashboard-url	--external-user-id		
dashboard-url	-	--user-id	user ID assigned by the service
dashboard-url	--user-id		
dashboard-url	-	--language	language of the dashboard
dashboard-url	--language	nl da en fr de es sv	
dashboard-url	-+	--disable	sections to omit
dashboard-url	--disable	main metrics biomarkers recommendations todos	,
dashboard-url	-	--open	open the link in the browser instead of showing it
dashboard-url	-	--copy	copy to the clipboard, which is cleared after 45 s
dashboard-url	-	--qr	show a QR code instead of text
dashboard-url	-	--qr-file	save a QR code as a private PNG image
dashboard-url	--qr-file	@files	
dashboard-url	-	--users	file with one user per row, or - for standard input
dashboard-url	--users	@files	
dashboard-url	-+	--keep	input columns to copy to the output
dashboard-url	--keep		,
dashboard-url	-	--out	output file; repeat the command to resume it or to retry failed users
dashboard-url	--out	@files	
dashboard-url	-+	--map	map a column to a field, or ignore it with column=
dashboard-url	--map		,
dashboard-url	-	--delimiter	column delimiter (default: detected)
dashboard-url	--delimiter		
dashboard-url	-	--encoding	text encoding (default: detected)
dashboard-url	--encoding		
dashboard-url	-	--header-line	line of the header (default: detected)
dashboard-url	--header-line		
dashboard-url	-+	--ignore-columns	columns to ignore
dashboard-url	--ignore-columns		,
dashboard-url	-	--ids	how to read user IDs: exact (skip checks), keep (do not add zeros), or pad:N (add leading zeros)
dashboard-url	--ids		
dashboard-url	-	--sheet	sheet of a workbook (default: the first visible sheet)
dashboard-url	--sheet		
dashboard-url	-	--hidden	hidden rows and columns of a workbook
dashboard-url	--hidden	include skip	
dashboard-url	-	--mapping	settings file written by --save-mapping
dashboard-url	--mapping	@files	
dashboard-url	-	--save-mapping	save these settings for the next file
dashboard-url	--save-mapping	@files	
dashboard-url	-	--skip-invalid	skip invalid rows
dashboard-url	-	--errors	output file for failed users and skipped rows
dashboard-url	--errors	@files	
dashboard-url	-	--renew	run a finished list again from its start
dashboard-url	-	--max-concurrency	maximum concurrent requests
dashboard-url	--max-concurrency		
dashboard-url	-	--rate	maximum requests per second
dashboard-url	--rate		
dashboard-url	-	--max-wait	longest Retry-After to wait for (default 1h)
dashboard-url	--max-wait		
dashboard-url	-	--max-users	refuse a file with more than n users
dashboard-url	--max-users		
dashboard-url	-	--shard	shard k of n, or auto to use the index of the Kubernetes or Slurm task
dashboard-url	--shard		
dashboard-url	-	--shard-index	shard index, starting at 0 (with --shard-count)
dashboard-url	--shard-index		
dashboard-url	-	--shard-count	number of shards (for --shard-index and --shard auto)
dashboard-url	--shard-count		
dashboard-url	--json=	url expires_at	,
invite	-	--status	report which users have scanned since the invitation
invite	-	--only	state of the users to write
invite	--only	scanned waiting failed	
invite	-	--existing	for existing users
invite	--existing	skip update fail	
invite	-	--expire-at	expiration time (UTC) or duration, such as 2h
invite	--expire-at		
invite	-	--out	output file (default: beside the input file)
invite	--out	@files	
invite	-	--date-format	date format, such as DD-MM-YYYY
invite	--date-format		
invite	-+	--values	meaning of values in a field, such as sex:V=F
invite	--values		,
invite	-+	--map	map a column to a field, or ignore it with column=
invite	--map		,
invite	-	--delimiter	column delimiter (default: detected)
invite	--delimiter		
invite	-	--encoding	text encoding (default: detected)
invite	--encoding		
invite	-	--header-line	line of the header (default: detected)
invite	--header-line		
invite	-+	--ignore-columns	columns to ignore
invite	--ignore-columns		,
invite	-	--ids	how to read user IDs: exact (skip checks), keep (do not add zeros), or pad:N (add leading zeros)
invite	--ids		
invite	-	--sheet	sheet of a workbook (default: the first visible sheet)
invite	--sheet		
invite	-	--hidden	hidden rows and columns of a workbook
invite	--hidden	include skip	
invite	-	--mapping	settings file written by --save-mapping
invite	--mapping	@files	
invite	-	--save-mapping	save these settings for the next file
invite	--save-mapping	@files	
invite	-	--skip-invalid	skip invalid rows
invite	-	--errors	output file for failed users and skipped rows
invite	--errors	@files	
invite	-	--renew	run a finished list again from its start
invite	-	--max-concurrency	maximum concurrent requests
invite	--max-concurrency		
invite	-	--rate	maximum requests per second
invite	--rate		
invite	-	--max-wait	longest Retry-After to wait for (default 1h)
invite	--max-wait		
invite	-	--max-users	refuse a file with more than n users
invite	--max-users		
invite	-	--shard	shard k of n, or auto to use the index of the Kubernetes or Slurm task
invite	--shard		
invite	-	--shard-index	shard index, starting at 0 (with --shard-count)
invite	--shard-index		
invite	-	--shard-count	number of shards (for --shard-index and --shard auto)
invite	--shard-count		
invite	--json=	users done failed not_tried file errors_file	,
invite	1	@files	
token	-	--external-user-id	external user ID
token	--external-user-id		
token	-	--user-id	user ID assigned by the service
token	--user-id		
token	-	--copy	copy to the clipboard, which is cleared after 45 s
token	-	--qr	show a QR code instead of text
token	-	--qr-file	save a QR code as a private PNG image
token	--qr-file	@files	
token	-	--users	file with one user per row, or - for standard input
token	--users	@files	
token	-+	--keep	input columns to copy to the output
token	--keep		,
token	-	--out	output file; repeat the command to resume it or to retry failed users
token	--out	@files	
token	-+	--map	map a column to a field, or ignore it with column=
token	--map		,
token	-	--delimiter	column delimiter (default: detected)
token	--delimiter		
token	-	--encoding	text encoding (default: detected)
token	--encoding		
token	-	--header-line	line of the header (default: detected)
token	--header-line		
token	-+	--ignore-columns	columns to ignore
token	--ignore-columns		,
token	-	--ids	how to read user IDs: exact (skip checks), keep (do not add zeros), or pad:N (add leading zeros)
token	--ids		
token	-	--sheet	sheet of a workbook (default: the first visible sheet)
token	--sheet		
token	-	--hidden	hidden rows and columns of a workbook
token	--hidden	include skip	
token	-	--mapping	settings file written by --save-mapping
token	--mapping	@files	
token	-	--save-mapping	save these settings for the next file
token	--save-mapping	@files	
token	-	--skip-invalid	skip invalid rows
token	-	--errors	output file for failed users and skipped rows
token	--errors	@files	
token	-	--renew	run a finished list again from its start
token	-	--max-concurrency	maximum concurrent requests
token	--max-concurrency		
token	-	--rate	maximum requests per second
token	--rate		
token	-	--max-wait	longest Retry-After to wait for (default 1h)
token	--max-wait		
token	-	--max-users	refuse a file with more than n users
token	--max-users		
token	-	--shard	shard k of n, or auto to use the index of the Kubernetes or Slurm task
token	--shard		
token	-	--shard-index	shard index, starting at 0 (with --shard-count)
token	--shard-index		
token	-	--shard-count	number of shards (for --shard-index and --shard auto)
token	--shard-count		
token	--json=	token expires_at	,
overview	-	--external-user-id	external user ID
overview	--external-user-id		
overview	-	--user-id	user ID assigned by the service
overview	--user-id		
overview	--json=	external_user_id user_id birth_date sex language customer scanned heart_rate heart_rate_average respiratory_rate respiratory_rate_average heart_rate_variability heart_rate_variability_average resonant_breathing_score resonant_breathing_score_average systolic_blood_pressure systolic_blood_pressure_average diastolic_blood_pressure diastolic_blood_pressure_average energy_balance general_fitness hypertension mental_health_risk mental_stress sleep_quality physical mental energy_sleep missing_answers recommendations last_change next	,
biomarkers list	-	--external-user-id	external user ID
biomarkers list	--external-user-id		
biomarkers list	-	--user-id	user ID assigned by the service
biomarkers list	--user-id		
biomarkers list	-	--start	scans after this time, such as 2026-03-01 or 7d
biomarkers list	--start		
biomarkers list	-	--end	scans before this time
biomarkers list	--end		
biomarkers list	-	--order	order by time
biomarkers list	--order	asc desc	
biomarkers list	-+	--chart	draw charts
biomarkers list	--chart=	heart_rate respiratory heart_rate_variability resonant systolic diastolic	,
biomarkers list	-	--limit	maximum number of scans
biomarkers list	--limit		
biomarkers list	-	--all	all scans
biomarkers list	-	--users	file with one user per row, or - for standard input
biomarkers list	--users	@files	
biomarkers list	-+	--keep	input columns to copy to the output
biomarkers list	--keep		,
biomarkers list	-	--out	output file; repeat the command to resume it or to retry failed users
biomarkers list	--out	@files	
biomarkers list	-+	--map	map a column to a field, or ignore it with column=
biomarkers list	--map		,
biomarkers list	-	--delimiter	column delimiter (default: detected)
biomarkers list	--delimiter		
biomarkers list	-	--encoding	text encoding (default: detected)
biomarkers list	--encoding		
biomarkers list	-	--header-line	line of the header (default: detected)
biomarkers list	--header-line		
biomarkers list	-+	--ignore-columns	columns to ignore
biomarkers list	--ignore-columns		,
biomarkers list	-	--ids	how to read user IDs: exact (skip checks), keep (do not add zeros), or pad:N (add leading zeros)
biomarkers list	--ids		
biomarkers list	-	--sheet	sheet of a workbook (default: the first visible sheet)
biomarkers list	--sheet		
biomarkers list	-	--hidden	hidden rows and columns of a workbook
biomarkers list	--hidden	include skip	
biomarkers list	-	--mapping	settings file written by --save-mapping
biomarkers list	--mapping	@files	
biomarkers list	-	--save-mapping	save these settings for the next file
biomarkers list	--save-mapping	@files	
biomarkers list	-	--skip-invalid	skip invalid rows
biomarkers list	-	--errors	output file for failed users and skipped rows
biomarkers list	--errors	@files	
biomarkers list	-	--renew	run a finished list again from its start
biomarkers list	-	--max-concurrency	maximum concurrent requests
biomarkers list	--max-concurrency		
biomarkers list	-	--rate	maximum requests per second
biomarkers list	--rate		
biomarkers list	-	--max-wait	longest Retry-After to wait for (default 1h)
biomarkers list	--max-wait		
biomarkers list	-	--max-users	refuse a file with more than n users
biomarkers list	--max-users		
biomarkers list	-	--shard	shard k of n, or auto to use the index of the Kubernetes or Slurm task
biomarkers list	--shard		
biomarkers list	-	--shard-index	shard index, starting at 0 (with --shard-count)
biomarkers list	--shard-index		
biomarkers list	-	--shard-count	number of shards (for --shard-index and --shard auto)
biomarkers list	--shard-count		
biomarkers list	--json=	timestamp heart_rate respiratory_rate heart_rate_variability resonant_breathing_score systolic_blood_pressure diastolic_blood_pressure face_scan_id timestamp_epoch	,
biomarkers latest	-	--external-user-id	external user ID
biomarkers latest	--external-user-id		
biomarkers latest	-	--user-id	user ID assigned by the service
biomarkers latest	--user-id		
biomarkers latest	-	--count	number of scans
biomarkers latest	--count		
biomarkers latest	-	--watch	wait for new scans and show them, until Ctrl-C
biomarkers latest	-	--users	file with one user per row, or - for standard input
biomarkers latest	--users	@files	
biomarkers latest	-+	--keep	input columns to copy to the output
biomarkers latest	--keep		,
biomarkers latest	-	--out	output file; repeat the command to resume it or to retry failed users
biomarkers latest	--out	@files	
biomarkers latest	-+	--map	map a column to a field, or ignore it with column=
biomarkers latest	--map		,
biomarkers latest	-	--delimiter	column delimiter (default: detected)
biomarkers latest	--delimiter		
biomarkers latest	-	--encoding	text encoding (default: detected)
biomarkers latest	--encoding		
biomarkers latest	-	--header-line	line of the header (default: detected)
biomarkers latest	--header-line		
biomarkers latest	-+	--ignore-columns	columns to ignore
biomarkers latest	--ignore-columns		,
biomarkers latest	-	--ids	how to read user IDs: exact (skip checks), keep (do not add zeros), or pad:N (add leading zeros)
biomarkers latest	--ids		
biomarkers latest	-	--sheet	sheet of a workbook (default: the first visible sheet)
biomarkers latest	--sheet		
biomarkers latest	-	--hidden	hidden rows and columns of a workbook
biomarkers latest	--hidden	include skip	
biomarkers latest	-	--mapping	settings file written by --save-mapping
biomarkers latest	--mapping	@files	
biomarkers latest	-	--save-mapping	save these settings for the next file
biomarkers latest	--save-mapping	@files	
biomarkers latest	-	--skip-invalid	skip invalid rows
biomarkers latest	-	--errors	output file for failed users and skipped rows
biomarkers latest	--errors	@files	
biomarkers latest	-	--renew	run a finished list again from its start
biomarkers latest	-	--max-concurrency	maximum concurrent requests
biomarkers latest	--max-concurrency		
biomarkers latest	-	--rate	maximum requests per second
biomarkers latest	--rate		
biomarkers latest	-	--max-wait	longest Retry-After to wait for (default 1h)
biomarkers latest	--max-wait		
biomarkers latest	-	--max-users	refuse a file with more than n users
biomarkers latest	--max-users		
biomarkers latest	-	--shard	shard k of n, or auto to use the index of the Kubernetes or Slurm task
biomarkers latest	--shard		
biomarkers latest	-	--shard-index	shard index, starting at 0 (with --shard-count)
biomarkers latest	--shard-index		
biomarkers latest	-	--shard-count	number of shards (for --shard-index and --shard auto)
biomarkers latest	--shard-count		
biomarkers latest	--json=	timestamp heart_rate respiratory_rate heart_rate_variability resonant_breathing_score systolic_blood_pressure diastolic_blood_pressure face_scan_id timestamp_epoch	,
biomarkers get	-	--external-user-id	external user ID
biomarkers get	--external-user-id		
biomarkers get	-	--user-id	user ID assigned by the service
biomarkers get	--user-id		
biomarkers get	--json=	face_scan_id timestamp heart_rate respiratory_rate heart_rate_variability resonant_breathing_score systolic_blood_pressure diastolic_blood_pressure timestamp_epoch	,
biomarkers get	1		
biomarkers get	2		
biomarkers compare	-	--external-user-id	external user ID
biomarkers compare	--external-user-id		
biomarkers compare	-	--user-id	user ID assigned by the service
biomarkers compare	--user-id		
biomarkers compare	-	--days	days per period, up to now
biomarkers compare	--days		
biomarkers compare	-	--before	end of the earlier period
biomarkers compare	--before		
biomarkers compare	-	--after	start of the later period
biomarkers compare	--after		
biomarkers compare	-	--count	maximum scans per period
biomarkers compare	--count		
biomarkers compare	--json=	biomarker before after unit change change_percent	,
metrics	-	--external-user-id	external user ID
metrics	--external-user-id		
metrics	-	--users	file with one user per row, or - for standard input
metrics	--users	@files	
metrics	-+	--keep	input columns to copy to the output
metrics	--keep		,
metrics	-	--out	output file; repeat the command to resume it or to retry failed users
metrics	--out	@files	
metrics	-+	--map	map a column to a field, or ignore it with column=
metrics	--map		,
metrics	-	--delimiter	column delimiter (default: detected)
metrics	--delimiter		
metrics	-	--encoding	text encoding (default: detected)
metrics	--encoding		
metrics	-	--header-line	line of the header (default: detected)
metrics	--header-line		
metrics	-+	--ignore-columns	columns to ignore
metrics	--ignore-columns		,
metrics	-	--ids	how to read user IDs: exact (skip checks), keep (do not add zeros), or pad:N (add leading zeros)
metrics	--ids		
metrics	-	--sheet	sheet of a workbook (default: the first visible sheet)
metrics	--sheet		
metrics	-	--hidden	hidden rows and columns of a workbook
metrics	--hidden	include skip	
metrics	-	--mapping	settings file written by --save-mapping
metrics	--mapping	@files	
metrics	-	--save-mapping	save these settings for the next file
metrics	--save-mapping	@files	
metrics	-	--skip-invalid	skip invalid rows
metrics	-	--errors	output file for failed users and skipped rows
metrics	--errors	@files	
metrics	-	--renew	run a finished list again from its start
metrics	-	--max-concurrency	maximum concurrent requests
metrics	--max-concurrency		
metrics	-	--rate	maximum requests per second
metrics	--rate		
metrics	-	--max-wait	longest Retry-After to wait for (default 1h)
metrics	--max-wait		
metrics	-	--max-users	refuse a file with more than n users
metrics	--max-users		
metrics	-	--shard	shard k of n, or auto to use the index of the Kubernetes or Slurm task
metrics	--shard		
metrics	-	--shard-index	shard index, starting at 0 (with --shard-count)
metrics	--shard-index		
metrics	-	--shard-count	number of shards (for --shard-index and --shard auto)
metrics	--shard-count		
metrics	--json=	metric score confidence	,
wellbeing	-	--external-user-id	external user ID
wellbeing	--external-user-id		
wellbeing	-	--user-id	user ID assigned by the service
wellbeing	--user-id		
wellbeing	-	--users	file with one user per row, or - for standard input
wellbeing	--users	@files	
wellbeing	-+	--keep	input columns to copy to the output
wellbeing	--keep		,
wellbeing	-	--out	output file; repeat the command to resume it or to retry failed users
wellbeing	--out	@files	
wellbeing	-+	--map	map a column to a field, or ignore it with column=
wellbeing	--map		,
wellbeing	-	--delimiter	column delimiter (default: detected)
wellbeing	--delimiter		
wellbeing	-	--encoding	text encoding (default: detected)
wellbeing	--encoding		
wellbeing	-	--header-line	line of the header (default: detected)
wellbeing	--header-line		
wellbeing	-+	--ignore-columns	columns to ignore
wellbeing	--ignore-columns		,
wellbeing	-	--ids	how to read user IDs: exact (skip checks), keep (do not add zeros), or pad:N (add leading zeros)
wellbeing	--ids		
wellbeing	-	--sheet	sheet of a workbook (default: the first visible sheet)
wellbeing	--sheet		
wellbeing	-	--hidden	hidden rows and columns of a workbook
wellbeing	--hidden	include skip	
wellbeing	-	--mapping	settings file written by --save-mapping
wellbeing	--mapping	@files	
wellbeing	-	--save-mapping	save these settings for the next file
wellbeing	--save-mapping	@files	
wellbeing	-	--skip-invalid	skip invalid rows
wellbeing	-	--errors	output file for failed users and skipped rows
wellbeing	--errors	@files	
wellbeing	-	--renew	run a finished list again from its start
wellbeing	-	--max-concurrency	maximum concurrent requests
wellbeing	--max-concurrency		
wellbeing	-	--rate	maximum requests per second
wellbeing	--rate		
wellbeing	-	--max-wait	longest Retry-After to wait for (default 1h)
wellbeing	--max-wait		
wellbeing	-	--max-users	refuse a file with more than n users
wellbeing	--max-users		
wellbeing	-	--shard	shard k of n, or auto to use the index of the Kubernetes or Slurm task
wellbeing	--shard		
wellbeing	-	--shard-index	shard index, starting at 0 (with --shard-count)
wellbeing	--shard-index		
wellbeing	-	--shard-count	number of shards (for --shard-index and --shard auto)
wellbeing	--shard-count		
wellbeing	--json=	physical mental energy_sleep status_label physical_assessment mental_assessment energy_sleep_assessment	,
summary	-	--external-user-id	external user ID
summary	--external-user-id		
summary	-	--user-id	user ID assigned by the service
summary	--user-id		
summary	-	--language	language of the text
summary	--language	nl da en fr de es sv	
summary	-	--users	file with one user per row, or - for standard input
summary	--users	@files	
summary	-+	--keep	input columns to copy to the output
summary	--keep		,
summary	-	--out	output file; repeat the command to resume it or to retry failed users
summary	--out	@files	
summary	-+	--map	map a column to a field, or ignore it with column=
summary	--map		,
summary	-	--delimiter	column delimiter (default: detected)
summary	--delimiter		
summary	-	--encoding	text encoding (default: detected)
summary	--encoding		
summary	-	--header-line	line of the header (default: detected)
summary	--header-line		
summary	-+	--ignore-columns	columns to ignore
summary	--ignore-columns		,
summary	-	--ids	how to read user IDs: exact (skip checks), keep (do not add zeros), or pad:N (add leading zeros)
summary	--ids		
summary	-	--sheet	sheet of a workbook (default: the first visible sheet)
summary	--sheet		
summary	-	--hidden	hidden rows and columns of a workbook
summary	--hidden	include skip	
summary	-	--mapping	settings file written by --save-mapping
summary	--mapping	@files	
summary	-	--save-mapping	save these settings for the next file
summary	--save-mapping	@files	
summary	-	--skip-invalid	skip invalid rows
summary	-	--errors	output file for failed users and skipped rows
summary	--errors	@files	
summary	-	--renew	run a finished list again from its start
summary	-	--max-concurrency	maximum concurrent requests
summary	--max-concurrency		
summary	-	--rate	maximum requests per second
summary	--rate		
summary	-	--max-wait	longest Retry-After to wait for (default 1h)
summary	--max-wait		
summary	-	--max-users	refuse a file with more than n users
summary	--max-users		
summary	-	--shard	shard k of n, or auto to use the index of the Kubernetes or Slurm task
summary	--shard		
summary	-	--shard-index	shard index, starting at 0 (with --shard-count)
summary	--shard-index		
summary	-	--shard-count	number of shards (for --shard-index and --shard auto)
summary	--shard-count		
summary	--json=	dimension feedback tip	,
summary	1	physical mental energy_sleep	
summary	2	physical mental energy_sleep	
recommendations	-	--external-user-id	external user ID
recommendations	--external-user-id		
recommendations	-	--user-id	user ID assigned by the service
recommendations	--user-id		
recommendations	-	--language	language of the text
recommendations	--language	nl da en fr de es sv	
recommendations	-	--limit	maximum number of recommendations
recommendations	--limit		
recommendations	-	--all	all recommendations
recommendations	-	--users	file with one user per row, or - for standard input
recommendations	--users	@files	
recommendations	-+	--keep	input columns to copy to the output
recommendations	--keep		,
recommendations	-	--out	output file; repeat the command to resume it or to retry failed users
recommendations	--out	@files	
recommendations	-+	--map	map a column to a field, or ignore it with column=
recommendations	--map		,
recommendations	-	--delimiter	column delimiter (default: detected)
recommendations	--delimiter		
recommendations	-	--encoding	text encoding (default: detected)
recommendations	--encoding		
recommendations	-	--header-line	line of the header (default: detected)
recommendations	--header-line		
recommendations	-+	--ignore-columns	columns to ignore
recommendations	--ignore-columns		,
recommendations	-	--ids	how to read user IDs: exact (skip checks), keep (do not add zeros), or pad:N (add leading zeros)
recommendations	--ids		
recommendations	-	--sheet	sheet of a workbook (default: the first visible sheet)
recommendations	--sheet		
recommendations	-	--hidden	hidden rows and columns of a workbook
recommendations	--hidden	include skip	
recommendations	-	--mapping	settings file written by --save-mapping
recommendations	--mapping	@files	
recommendations	-	--save-mapping	save these settings for the next file
recommendations	--save-mapping	@files	
recommendations	-	--skip-invalid	skip invalid rows
recommendations	-	--errors	output file for failed users and skipped rows
recommendations	--errors	@files	
recommendations	-	--renew	run a finished list again from its start
recommendations	-	--max-concurrency	maximum concurrent requests
recommendations	--max-concurrency		
recommendations	-	--rate	maximum requests per second
recommendations	--rate		
recommendations	-	--max-wait	longest Retry-After to wait for (default 1h)
recommendations	--max-wait		
recommendations	-	--max-users	refuse a file with more than n users
recommendations	--max-users		
recommendations	-	--shard	shard k of n, or auto to use the index of the Kubernetes or Slurm task
recommendations	--shard		
recommendations	-	--shard-index	shard index, starting at 0 (with --shard-count)
recommendations	--shard-index		
recommendations	-	--shard-count	number of shards (for --shard-index and --shard auto)
recommendations	--shard-count		
recommendations	--json=	relevance title description related_metric lookup_key action_text action_url image_url	,
answers keys	-	--limit	maximum number of keys
answers keys	--limit		
answers keys	-	--all	all keys
answers keys	--json=	lookup_key	,
answers list	-	--external-user-id	external user ID
answers list	--external-user-id		
answers list	-	--limit	maximum number of answers
answers list	--limit		
answers list	-	--all	all answers
answers list	-	--order	order by time
answers list	--order	asc desc	
answers list	-	--page-parameter	query parameter for the page number
answers list	--page-parameter		
answers list	-	--users	file with one user per row, or - for standard input
answers list	--users	@files	
answers list	-+	--keep	input columns to copy to the output
answers list	--keep		,
answers list	-	--out	output file; repeat the command to resume it or to retry failed users
answers list	--out	@files	
answers list	-+	--map	map a column to a field, or ignore it with column=
answers list	--map		,
answers list	-	--delimiter	column delimiter (default: detected)
answers list	--delimiter		
answers list	-	--encoding	text encoding (default: detected)
answers list	--encoding		
answers list	-	--header-line	line of the header (default: detected)
answers list	--header-line		
answers list	-+	--ignore-columns	columns to ignore
answers list	--ignore-columns		,
answers list	-	--ids	how to read user IDs: exact (skip checks), keep (do not add zeros), or pad:N (add leading zeros)
answers list	--ids		
answers list	-	--sheet	sheet of a workbook (default: the first visible sheet)
answers list	--sheet		
answers list	-	--hidden	hidden rows and columns of a workbook
answers list	--hidden	include skip	
answers list	-	--mapping	settings file written by --save-mapping
answers list	--mapping	@files	
answers list	-	--save-mapping	save these settings for the next file
answers list	--save-mapping	@files	
answers list	-	--skip-invalid	skip invalid rows
answers list	-	--errors	output file for failed users and skipped rows
answers list	--errors	@files	
answers list	-	--renew	run a finished list again from its start
answers list	-	--max-concurrency	maximum concurrent requests
answers list	--max-concurrency		
answers list	-	--rate	maximum requests per second
answers list	--rate		
answers list	-	--max-wait	longest Retry-After to wait for (default 1h)
answers list	--max-wait		
answers list	-	--max-users	refuse a file with more than n users
answers list	--max-users		
answers list	-	--shard	shard k of n, or auto to use the index of the Kubernetes or Slurm task
answers list	--shard		
answers list	-	--shard-index	shard index, starting at 0 (with --shard-count)
answers list	--shard-index		
answers list	-	--shard-count	number of shards (for --shard-index and --shard auto)
answers list	--shard-count		
answers list	--json=	question_lookup_key answer score local_timestamp health_scan_id	,
answers save	-	--external-user-id	external user ID
answers save	--external-user-id		
answers save	-	--user-id	user ID assigned by the service
answers save	--user-id		
answers save	-	--timezone	IANA time zone of the answers
answers save	--timezone	@zones	
answers save	--json=	lookup_key value user_id	,
answers save	1+	height= weight= balance_coordination= hours_sport_week= daily_activities= nightly_wake_ups= feeling_stressed_last_month= struggling_irritations_last_month= things_your_way_last_month= average_sleep_hours= age= parental_hypertension= smoking=	
answers import	-	--timezone	time zone for rows without a time zone
answers import	--timezone	@zones	
answers import	-+	--map	map a column to a field, or ignore it with column=
answers import	--map		,
answers import	-	--delimiter	column delimiter (default: detected)
answers import	--delimiter		
answers import	-	--encoding	text encoding (default: detected)
answers import	--encoding		
answers import	-	--header-line	line of the header (default: detected)
answers import	--header-line		
answers import	-+	--ignore-columns	columns to ignore
answers import	--ignore-columns		,
answers import	-	--ids	how to read user IDs: exact (skip checks), keep (do not add zeros), or pad:N (add leading zeros)
answers import	--ids		
answers import	-	--sheet	sheet of a workbook (default: the first visible sheet)
answers import	--sheet		
answers import	-	--hidden	hidden rows and columns of a workbook
answers import	--hidden	include skip	
answers import	-	--mapping	settings file written by --save-mapping
answers import	--mapping	@files	
answers import	-	--save-mapping	save these settings for the next file
answers import	--save-mapping	@files	
answers import	-	--skip-invalid	skip invalid rows
answers import	-	--batch-size	maximum answers per request
answers import	--batch-size		
answers import	-	--results	directory for result files and a summary
answers import	--results	@directories	
answers import	-	--max-concurrency	maximum concurrent requests
answers import	--max-concurrency		
answers import	-	--rate	maximum requests per second
answers import	--rate		
answers import	-	--max-wait	longest Retry-After to wait for (default 1h)
answers import	--max-wait		
answers import	-	--max-users	refuse a file with more than n users
answers import	--max-users		
answers import	-	--on-ambiguous	handling of rows with an unknown outcome
answers import	--on-ambiguous	hold resend skip	
answers import	-	--verify	then compare the saved answers with the file
answers import	-	--verbose	show the complete summary
answers import	-	--page-parameter	query parameter for the page number
answers import	--page-parameter		
answers import	-	--shard	shard k of n, or auto to use the index of the Kubernetes or Slurm task
answers import	--shard		
answers import	-	--shard-index	shard index, starting at 0 (with --shard-count)
answers import	--shard-index		
answers import	-	--shard-count	number of shards (for --shard-index and --shard auto)
answers import	--shard-count		
answers import	-	--again	import the file even if it was already imported
answers import	-	--resend-unknown	send rows with an unknown outcome again
answers import	-	--repeat-result	report the result of a finished import again
answers import	--json=	id source profile status rows accepted rejected unknown unsent requests retried sent_now seconds rejects_file unknown_file	,
answers import	1	@files	
imports list	-	--limit	maximum number of imports
imports list	--limit		
imports list	-	--all	all imports
imports list	-	--order	order by time
imports list	--order	asc desc	
imports list	--json=	id status source profile started_at rows accepted rejected unknown unsent	,
imports show	--json=	id status source profile started_at last_activity_at host rows accepted rejected unknown unsent requests retried seconds problem	,
imports show	1	@imports	
imports resume	-	--results	directory for result files and a summary
imports resume	--results	@directories	
imports resume	-	--max-concurrency	maximum concurrent requests
imports resume	--max-concurrency		
imports resume	-	--rate	maximum requests per second
imports resume	--rate		
imports resume	-	--max-wait	longest Retry-After to wait for (default 1h)
imports resume	--max-wait		
imports resume	-	--max-users	refuse a file with more than n users
imports resume	--max-users		
imports resume	-	--on-ambiguous	handling of rows with an unknown outcome
imports resume	--on-ambiguous	hold resend skip	
imports resume	-	--verify	then compare the saved answers with the file
imports resume	-	--verbose	show the complete summary
imports resume	-	--page-parameter	query parameter for the page number
imports resume	--page-parameter		
imports resume	-	--key-replaced	confirm that the new key accesses the same users
imports resume	--json=	id source profile status rows accepted rejected unknown unsent requests retried sent_now seconds rejects_file unknown_file	,
imports resume	1	@imports	
imports resume	2	@files	
imports verify	-	--results	directory for result files and a summary
imports verify	--results	@directories	
imports verify	-	--max-concurrency	maximum concurrent requests
imports verify	--max-concurrency		
imports verify	-	--rate	maximum requests per second
imports verify	--rate		
imports verify	-	--max-wait	longest Retry-After to wait for (default 1h)
imports verify	--max-wait		
imports verify	-	--page-parameter	query parameter for the page number
imports verify	--page-parameter		
imports verify	--json=	users answers saved missing different changed unverified rejected unsaved_file	,
imports verify	1	@imports	
imports verify	2	@files	
imports merge	--json=	profile status shards rows accepted rejected unknown unsent requests retried rejects_files unknown_files results_file	,
imports merge	1+		
imports remove	--json=	id removed	,
imports remove	1	@imports	
profiles add	-	--base-url	base URL of the service
profiles add	--base-url		
profiles add	-	--store	key store for a production key
profiles add	--store	keyring file	
profiles add	-	--key-command	command that prints the key
profiles add	--key-command		
profiles add	-	--replace	replace the stored key
profiles add	-	--no-verify	store the key without verifying it
profiles add	--json=	name environment default base_url stored_in fingerprint protect unlocked_until reference audit_command timezone language rate output store	,
profiles add	1		
profiles list	-	--limit	maximum number of profiles
profiles list	--limit		
profiles list	-	--all	all profiles
profiles list	--json=	name environment default base_url store fingerprint protect unlocked_until reference audit_command timezone language rate output	,
profiles show	--json=	name environment default base_url stored_in fingerprint protect unlocked_until reference audit_command timezone language rate output store	,
profiles show	1	@profiles	
profiles use	--json=	name environment default base_url stored_in fingerprint protect unlocked_until reference audit_command timezone language rate output store	,
profiles use	1	@profiles	
profiles set	-	--protect	protection level
profiles set	--protect	read-only confirm off	
profiles set	-	--base-url	base URL of the service
profiles set	--base-url		
profiles set	-	--key-command	command that prints the key
profiles set	--key-command		
profiles set	-	--audit-command	command that receives audit entries (empty: remove)
profiles set	--audit-command		
profiles set	-	--reference	show facescan’s own reference values
profiles set	--reference	on off	
profiles set	-	--timezone	default time zone of answers
profiles set	--timezone	@zones	
profiles set	-	--language	default language of texts
profiles set	--language		
profiles set	-	--rate	default maximum requests per second
profiles set	--rate		
profiles set	-	--output	default output format
profiles set	--output		
profiles set	-	--ignore-audit-failure	replace the audit command even if it fails
profiles set	--json=	name environment default base_url stored_in fingerprint protect unlocked_until reference audit_command timezone language rate output store	,
profiles set	1	@profiles	
profiles unlock	-	--for	duration, such as 15m
profiles unlock	--for		
profiles unlock	-	--reason	reason for the audit log, without personal data
profiles unlock	--reason		
profiles unlock	--json=	name environment default base_url stored_in fingerprint protect unlocked_until reference audit_command timezone language rate output store	,
profiles unlock	1	@profiles	
profiles move-key	-	--store	new key store
profiles move-key	--store	keyring file	
profiles move-key	--json=	name environment default base_url stored_in fingerprint protect unlocked_until reference audit_command timezone language rate output store	,
profiles move-key	1	@profiles	
profiles remove	--json=	name removed	,
profiles remove	1	@profiles	
status	--json=	profile environment base_url protect unlocked_until fingerprint config_dir state_dir problem settings	,
doctor	-	--network	also check the certificate, clock, latency, and key
doctor	-	--bundle	write a support report without secrets to this file
doctor	--bundle	@files	
doctor	--json=	check status detail fix	,
history list	-	--external-user-id	changes to the user with this external user ID
history list	--external-user-id		
history list	-	--user-id	changes to the user with this user ID
history list	--user-id		
history list	-	--user	short for --external-user-id
history list	--user		
history list	-	--since	changes after this time (without a time zone: UTC)
history list	--since		
history list	-	--limit	maximum number of changes
history list	--limit		
history list	-	--all	all changes
history list	-	--order	order by time
history list	--order	asc desc	
history list	--json=	time command outcome profile os_user user_id status detail host id fingerprint method path request_id reason	,
demo	-	--from	number of the first step
demo	--from		
sandbox serve	-	--port	port to listen on
sandbox serve	--port		
sandbox serve	-	--host	address to listen on
sandbox serve	--host		
sandbox serve	-	--expose-to-network	allow connections from other machines
sandbox serve	-	--db	database file (default: the built-in sandbox)
sandbox serve	--db	@files	
sandbox serve	-	--revision	API revision
sandbox serve	--revision	current earlier both	
sandbox serve	-	--latency	delay added to responses
sandbox serve	--latency		
sandbox serve	-+	--fail	failure rate for a status, such as 503:0.05
sandbox serve	--fail		,
sandbox serve	-	--reset	fraction of requests with a reset connection
sandbox serve	--reset		
sandbox serve	-	--late-apply	fraction of failed changes applied later
sandbox serve	--late-apply		
sandbox serve	-	--late-by	maximum delay of a late change
sandbox serve	--late-by		
sandbox serve	-	--rate-limit	maximum requests per second; excess requests get 429
sandbox serve	--rate-limit		
sandbox serve	-	--seed	seed for random failures
sandbox serve	--seed		
sandbox serve	--json=	url database profiles	,
sandbox scan	-	--external-user-id	external user ID
sandbox scan	--external-user-id		
sandbox scan	-	--user-id	user ID assigned by the service
sandbox scan	--user-id		
sandbox scan	-	--count	number of scans
sandbox scan	--count		
sandbox scan	-	--days	period of the scans, in days up to now
sandbox scan	--days		
sandbox scan	-	--seed	seed for random values
sandbox scan	--seed		
sandbox scan	-	--db	database file (default: the built-in sandbox)
sandbox scan	--db	@files	
sandbox scan	--json=	recorded first last latest_face_scan_id	,
sandbox key	-	--db	database file (default: the built-in sandbox)
sandbox key	--db	@files	
sandbox key	-	--production	print the production key instead of the development key
sandbox status	-	--db	database file (default: the built-in sandbox)
sandbox status	--db	@files	
sandbox status	--json=	database customer users face_scans answers keys serving	,
sandbox reset	-	--db	database file (default: the built-in sandbox)
sandbox reset	--db	@files	
sandbox reset	--json=	database reset	,
api	-+	--raw-field -f	text field
api	--raw-field		,
api	-f		,
api	-+	--field -F	typed field: 70, true, null, @file
api	--field		,
api	-F		,
api	-	--body	JSON body from a file, or - for standard input
api	--body	@files	
api	1	GET POST PUT DELETE	
api	2		
ce-label	-	--out	write the PNG image to this file
ce-label	--out	@files	
ce-label	--json=	file content_type bytes base64	,
widgets biomarker	-	--external-user-id	external user ID
widgets biomarker	--external-user-id		
widgets biomarker	-	--user-id	user ID assigned by the service
widgets biomarker	--user-id		
widgets biomarker	-	--face-scan-id	face scan ID
widgets biomarker	--face-scan-id		
widgets biomarker	--json=	title value percentage locked	,
widgets biomarker	1	heart_rate respiratory_rate heart_rate_variability resonant_breathing_score systolic_blood_pressure diastolic_blood_pressure	
widgets biomarker	2	heart_rate respiratory_rate heart_rate_variability resonant_breathing_score systolic_blood_pressure diastolic_blood_pressure	
widgets metric	-	--external-user-id	external user ID
widgets metric	--external-user-id		
widgets metric	-	--user-id	user ID assigned by the service
widgets metric	--user-id		
widgets metric	--json=	title value percentage locked	,
widgets metric	1	energy_balance general_fitness hypertension mental_health_risk mental_stress sleep_quality	
widgets metric	2	energy_balance general_fitness hypertension mental_health_risk mental_stress sleep_quality	
widgets graph	-	--external-user-id	external user ID
widgets graph	--external-user-id		
widgets graph	-	--user-id	user ID assigned by the service
widgets graph	--user-id		
widgets graph	-	--title	title of the graph
widgets graph	--title		
widgets graph	-	--start	first day (default: 8 days ago)
widgets graph	--start		
widgets graph	-	--stop	last day (default: today)
widgets graph	--stop		
widgets graph	--json=	timestamp label value hint	,
widgets graph	1	heart_rate respiratory_rate heart_rate_variability resonant_breathing_score systolic_blood_pressure diastolic_blood_pressure energy_balance general_fitness hypertension mental_health_risk mental_stress sleep_quality	
widgets graph	2	heart_rate respiratory_rate heart_rate_variability resonant_breathing_score systolic_blood_pressure diastolic_blood_pressure energy_balance general_fitness hypertension mental_health_risk mental_stress sleep_quality	
schema	--json=	command effect local_effect credentials summary description user arguments flags examples output exit_codes	,
completion	1	bash zsh fish powershell	
help	--json=	name summary sections	,
help	1+	commands environment exit-codes flags formats import many-users profiles	
*	-	--profile -p	profile to use
*	--profile	@profiles	
*	-p	@profiles	
*	-	--key-file	read the API key from a file
*	--key-file	@files	
*	-	--key-stdin	read the API key from standard input
*	-	--action-token	read an action token from a file, or - for standard input
*	--action-token	@files	
*	-	--output -o	output format
*	--output	table json ndjson yaml csv tsv	
*	-o	table json ndjson yaml csv tsv	
*	-	--json	print JSON, or the given fields as JSON
*	--json=		
*	-	--jq	filter the JSON with jq
*	--jq		
*	-	--no-header	omit the header line
*	-	--no-truncate	do not truncate cells
*	-	--excel	CSV that is safe to open in Excel
*	-	--color	when to use color
*	--color	auto always never	
*	-	--quiet -q	omit progress and success messages
*	-	--dry-run -n	show the request without sending it
*	-	--yes -y	answer yes to prompts (not in protected production)
*	-	--confirm	value that confirms a change (profile name, ID of the user, or number of users)
*	--confirm		
*	-	--no-input	disable prompts
*	-	--timeout	maximum wait for a response
*	--timeout		
*	-	--max-time	maximum time for the entire command
*	--max-time		
*	-	--retries	maximum retries per failed request
*	--retries		
*	-	--trust-owner	as root, also use the files of this user
*	--trust-owner		
*	-	--strict	fail if a response has an unexpected format
*	-	--debug	trace requests to stderr, with secrets masked
*	-	--curl	show requests as curl commands
*	-	--help -h	show help
*	-	--version -V	show the version
'@ -split '\r?\n' | ForEach-Object {
  $path, $slot, $candidates, $summary = $_ -split '\t'
  [pscustomobject]@{ Path = $path; Slot = $slot; Candidates = @($candidates -split ' '); IsList = $summary -eq ',' }
}

function Get-FacescanProfile {
  $folder = $env:FACESCAN_CONFIG_DIR
  if (-not $folder -and $env:XDG_CONFIG_HOME) { $folder = Join-Path $env:XDG_CONFIG_HOME 'facescan' }
  if (-not $folder -and $env:APPDATA) { $folder = Join-Path $env:APPDATA 'facescan' }
  if (-not $folder) { $folder = Join-Path $HOME '.config/facescan' }
  'SANDBOX-DEV'
  $file = Join-Path $folder 'profiles.json'
  if (Test-Path $file) { (Get-Content -Raw $file | ConvertFrom-Json).profiles.PSObject.Properties.Name }
}

function Get-FacescanImport {
  $folder = $env:FACESCAN_STATE_DIR
  if (-not $folder -and $env:XDG_STATE_HOME) { $folder = Join-Path $env:XDG_STATE_HOME 'facescan' }
  if (-not $folder -and $env:LOCALAPPDATA) { $folder = Join-Path $env:LOCALAPPDATA 'facescan/state' }
  if (-not $folder) { $folder = Join-Path $HOME '.local/state/facescan' }
  Get-ChildItem (Join-Path $folder 'imports') -Name -Directory -ErrorAction SilentlyContinue
}

Register-ArgumentCompleter -Native -CommandName facescan -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $typed = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | Select-Object -Skip 1 | ForEach-Object { $_.ToString() })
  $path = ''
  $flag = ''
  $prefix = ''
  $position = 1
  $given = @()
  foreach ($word in $typed) {
    $deeper = "$path $word".Trim()
    if ($flag) { $flag = '' }
    elseif ($word.StartsWith('-')) {
      $given += ($word -split '=')[0]
      $flag = @($facescanRows | Where-Object { $_.Path -in @($path, '*') -and $_.Slot -ceq $word })[0].Slot
    }
    elseif ($facescanRows.Path -contains $deeper) { $path = $deeper }
    else {
      $position++
      # A lookup key with its answer.
      if ($word -cmatch '^[a-z_]+=') { $given += $Matches[0] }
    }
  }
  $slots = @("$position") + (1..$position | ForEach-Object { "$_+" })
  if ($flag) { $slots = @($flag) }
  elseif ($wordToComplete -match '^(--[^=]+)=') { $slots = @($Matches[0], $Matches[1]); $prefix = $Matches[0] }
  elseif ($wordToComplete.StartsWith('-')) { $slots = @('-', '-+') }
  $rows = @($facescanRows | Where-Object { $_.Path -in @($path, '*') -and $_.Slot -cin $slots -and -not ($_.Slot -eq '-' -and ($_.Candidates | Where-Object { $_ -cin $given })) })
  # The flags of a command after --users apply only to a list. They follow --users on the line, or a part of their name was typed.
  if ($slots[0] -eq '-' -and $given -notcontains '--users' -and $wordToComplete.Length -lt 3) {
    $isList = $false
    $rows = @($rows | Where-Object { -not $isList -or $_.Path -ne $path; if ($_.Candidates -contains '--users') { $isList = $true } })
  }
  # An argument or a flag already selects the user.
  $selected = $position -gt 1 -or ($given | Where-Object { $_ -in @('--external-user-id', '--user-id', '--users') })
  if ($selected -and $wordToComplete.Length -lt 3) { $rows = @($rows | Where-Object { $_.Slot -ne '-' -or -not ($_.Candidates -match '^--(external-user-id|user-id|users)$') }) }
  $own = @($rows | Where-Object { $_.Path -eq $path })
  # Offers the global flags if the command has no flags, or if a part of their name was typed.
  if ($slots[0] -eq '-' -and $own.Count -gt 0 -and $wordToComplete.Length -lt 3) { $rows = $own }
  $offered = foreach ($row in $rows) {
    $start = if ($row.IsList -and $wordToComplete -match '^.*,') { $Matches[0] } else { $prefix }
    foreach ($candidate in $row.Candidates) {
      if ($candidate -eq '@profiles') { Get-FacescanProfile | ForEach-Object { $start + $_ } }
      elseif ($candidate -eq '@imports') { Get-FacescanImport | ForEach-Object { $start + $_ } }
      elseif ($candidate -eq '@zones') { [TimeZoneInfo]::GetSystemTimeZones().Id -like '*/*' | ForEach-Object { $start + $_ } }
      # If nothing is offered, PowerShell completes files.
      elseif ($candidate -match '^[^@]' -and -not ($candidate.EndsWith('=') -and $candidate -cin $given)) { $start + $candidate }
    }
  }
  $offered | Where-Object { $_ -like "$wordToComplete*" } | ForEach-Object {
    [System.Management.Automation.CompletionResult]::new($_, $_, 'ParameterValue', $_)
  }
}
